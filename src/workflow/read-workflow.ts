import { ENGINE_NAMES, type EngineName, type Retry, type WorkflowBody } from '../contract/automation.ts'
import { EFFECT_CLASSES } from '../contract/outcome.ts'
import { invalidField } from '../contract/problem.ts'
import type { JsonSchema, Quota } from '../contract/tool.ts'
import { isDeeper } from '../lib/nesting.ts'
import { isIntegerFrom, isObject } from '../lib/type-guards.ts'
import { canBeAsked } from './after-hand-over.ts'
import type { Engine } from './engine.ts'
import { readFields } from './read-fields.ts'

export interface ReadOptions {
  readonly engines: ReadonlyMap<EngineName, Engine>
  /** Why nothing can be checked against a schema. */
  schemaProblem(schema: JsonSchema): Promise<string | undefined>
  readonly handOverMaxMs: number
  readonly waitMaxMs: number
}

/** With `workflow_` before it, it has to be a name that every provider takes. */
const NAME = /^[a-z][a-z0-9_]{0,49}$/
const DESCRIPTION_CHARS = 4000
const SCHEMA_CHARS = 50_000
const MOST_ATTEMPTS = 100
const MOST_FACTOR = 100
const DAY_MS = 86_400_000
const APPROVALS: readonly unknown[] = ['auto', 'ask', 'always']

export function checkWorkflowName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !NAME.test(name))
    throw invalidField('name', 'must be 1 to 50 small letters, digits and "_", beginning with a letter')
}

export function engineNamed(engines: ReadOptions['engines'], name: unknown): Engine {
  const engine = engines.get(name as EngineName)
  if (!engine) throw invalidField('engine', `must be one of ${ENGINE_NAMES.join(', ')}`)
  return engine
}

/** Throws a Problem that names the field. */
export async function checkBody(body: WorkflowBody, engine: Engine, options: ReadOptions): Promise<void> {
  const { description, input, output, effect, target, approval, costPerInvocation } = body
  if (typeof description !== 'string' || description.trim() === '' || description.length > DESCRIPTION_CHARS)
    throw invalidField('description', `must be a text of 1 to ${DESCRIPTION_CHARS} characters`)
  await checkSchema('input', input, options)
  if (output !== undefined) await checkSchema('output', output, options)
  if (!EFFECT_CLASSES.includes(effect)) throw invalidField('effect', `must be one of ${EFFECT_CLASSES.join(', ')}`)
  if (effect === 'verifiable' && !canBeAsked(engine, target))
    throw invalidField('effect', 'cannot be "verifiable" here, because nobody can be asked; n8n needs a key of its API')
  if (approval !== undefined && !APPROVALS.includes(approval))
    throw invalidField('approval', 'must be auto, ask or always')
  if (costPerInvocation !== undefined && !isIntegerFrom(costPerInvocation, 0))
    throw invalidField('cost', 'must be a whole number of micro-dollars, 0 or more')
  checkQuota(body.quota)
  checkRetry(body.retry)
  checkMs('timeoutMs', body.timeoutMs, options.handOverMaxMs, 'WORKFLOW_MAX_MS')
  checkMs('waitMs', body.waitMs, options.waitMaxMs, 'SUBMITTED_MAX_MS')
}

async function checkSchema(field: string, schema: unknown, { schemaProblem }: ReadOptions): Promise<void> {
  if (!isObject(schema) || schema['type'] !== 'object')
    throw invalidField(field, 'must be a JSON Schema with "type": "object"')
  if (isDeeper(schema)) throw invalidField(field, 'is nested too deeply')
  if (JSON.stringify(schema).length > SCHEMA_CHARS)
    throw invalidField(field, `may have ${SCHEMA_CHARS} characters as JSON`)
  const fault = await schemaProblem(schema as JsonSchema)
  if (fault !== undefined) throw invalidField(field, `cannot be used as a schema: ${fault.replace(/\.$/, '')}`)
}

function checkQuota(quota: Quota | undefined): void {
  if (quota === undefined) return
  for (const [name, most] of Object.entries(readFields('quota', quota, ['perHour', 'concurrent'])))
    if (!isIntegerFrom(most, 1)) throw invalidField(`quota.${name}`, 'must be a whole number, 1 or more')
}

const RETRY: Readonly<Record<keyof Retry, readonly [least: number, most: number]>> = {
  attempts: [1, MOST_ATTEMPTS],
  baseMs: [1, DAY_MS],
  factor: [1, MOST_FACTOR],
  maxMs: [1, DAY_MS],
}

function checkRetry(retry: WorkflowBody['retry']): void {
  if (retry === undefined) return
  const given = readFields('retry', retry, Object.keys(RETRY))
  for (const [name, [least, most]] of Object.entries(RETRY)) {
    const value = given[name]
    const isRight = name === 'factor' ? Number.isFinite(value) : Number.isSafeInteger(value)
    if (value !== undefined && !(isRight && (value as number) >= least && (value as number) <= most))
      throw invalidField(`retry.${name}`, `must be a number from ${least} to ${most}`)
  }
}

function checkMs(field: string, ms: unknown, most: number, limit: string): void {
  if (ms !== undefined && !(isIntegerFrom(ms, 1) && ms <= most))
    throw invalidField(field, `must be 1 to ${most} milliseconds (limit ${limit})`)
}
