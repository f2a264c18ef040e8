import type { Actor } from '../contract/actor.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { changeParams, type ModelParams, type ParamChanges } from '../contract/model-params.ts'
import { invalidField } from '../contract/problem.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { isDeeper } from '../lib/nesting.ts'
import { paramFaults } from '../model/index.ts'
import { schemaProblem } from '../tool/index.ts'
import type { Deps } from './deps.ts'
import { checkParamRules } from './param-rules.ts'
import { offeredTools } from './work.ts'

/** Where parameters are to hold. */
interface ParamPlace extends Partial<Pick<RoundStarted, 'mode' | 'enableTools'>> {
  readonly workspaceId: string
  /** by default the workspace's */
  readonly model?: string | undefined
  /** those that hold there already */
  readonly before: ModelParams
}

/** Throws a Problem for parameters that the model, or the tools there, cannot fulfil. */
export type CheckParams = (actor: Actor, place: ParamPlace, changes: ParamChanges) => Promise<void>

export interface ParamSettings {
  readonly deps: Pick<Deps, 'tools' | 'model' | 'preferences'>
  /** characters of the schema of an answer */
  readonly schemaChars: number
  /** the model of a workspace where none is named */
  usualModel(tenant: string, workspaceId: string): Promise<string>
}

const isForced = (choice: ModelParams['toolChoice']): boolean => choice === 'required' || typeof choice === 'object'

/** As deep as the schemas of tools may be. */
const MOST_LEVELS = 60

export function createParamCheck({ deps, schemaChars, usualModel }: ParamSettings): CheckParams {
  return async (actor, { workspaceId, model: key, before, ...allowed }, changes) => {
    checkParamRules(changes)
    const own = changeParams({}, changes)
    if (Object.keys(own).length === 0) return
    const model = deps.model(key ?? (await usualModel(actor.tenant, workspaceId)))
    const { maxOutput = 0, output, tools, toolChoice } = own
    if (maxOutput > model.maxOutput)
      throw invalidField('maxOutput', `must be at most ${model.maxOutput}, the longest answer of ${model.key}`)
    for (const { field, why } of paramFaults(changeParams(before, changes), model))
      if (own[field] !== undefined) throw invalidField(field, why)
    if (tools !== undefined || isForced(toolChoice)) await checkTools(actor, workspaceId, allowed, own)
    if (output) await checkSchema(output.schema)
  }

  async function checkTools(
    actor: Actor,
    workspaceId: string,
    { mode = 'act', enableTools = true }: Partial<Pick<RoundStarted, 'mode' | 'enableTools'>>,
    { tools, toolChoice }: ModelParams,
  ): Promise<void> {
    const { tenant, id, permissions } = actor
    const [registry, preferences] = await Promise.all([deps.tools(tenant, workspaceId), deps.preferences(tenant, id)])
    const offered = offeredTools(registry, { mode, enableTools, permissions }, preferences?.preferences)
    const names = new Set(offered.map(({ name }) => name))
    const missing = tools?.filter((name) => !names.has(name)) ?? []
    if (missing.length > 0)
      throw invalidField('tools', `has what is not offered here: ${missing.join(', ')}; ${choice(names)}`)
    const left = tools ?? [...names]
    if (toolChoice === 'required' && left.length === 0)
      throw invalidField('toolChoice', 'cannot be required: no tool is offered here')
    if (typeof toolChoice === 'object' && !(names.has(toolChoice.tool) && left.includes(toolChoice.tool)))
      throw invalidField('toolChoice', `names ${toolChoice.tool}, which is not offered here; ${choice(new Set(left))}`)
  }

  async function checkSchema(schema: JsonSchema): Promise<void> {
    if (isDeeper(schema, MOST_LEVELS)) throw invalidField('output.schema', 'is nested too deeply')
    const chars = JSON.stringify(schema).length
    if (chars > schemaChars)
      throw invalidField(
        'output.schema',
        `has ${chars} characters, at most ${schemaChars} are taken (limit SCHEMA_CHARS)`,
      )
    const problem = await schemaProblem(schema)
    if (problem !== undefined) throw invalidField('output.schema', `cannot be used: ${problem.replace(/\.$/, '')}`)
  }
}

const MOST_NAMED = 20

/** What a person may choose from instead. */
function choice(names: ReadonlySet<string>): string {
  if (names.size === 0) return 'no tool is'
  const more = names.size > MOST_NAMED ? ` and ${names.size - MOST_NAMED} more` : ''
  return `there are ${[...names].slice(0, MOST_NAMED).join(', ')}${more}`
}
