import type { Automation } from '../contract/automation.ts'
import type { Json, JsonObject } from '../contract/message.ts'
import type { JsonSchema } from '../contract/tool.ts'
import { isObject } from '../lib/type-guards.ts'
import { RAW_CHARS, type NotDone } from './engine.ts'

/** Checks an input or output against its schema, which somebody of the tenant wrote. */
export type CheckValue = (schema: JsonSchema, value: JsonObject, tenant: string) => Promise<Checked>

type Checked = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Why an output does not fit the schema of its workflow, undefined if it does or there is none. */
export async function outputFault(
  { tenant, body }: Automation<'workflow'>,
  output: Json,
  check: CheckValue,
): Promise<string | undefined> {
  if (!body.output) return undefined
  if (!isObject(output)) return 'it must be an object'
  const checked = await check(body.output, output, tenant)
  return checked.ok ? undefined : checked.message
}

/** It was done, and what it said is kept for people. */
export const badOutput = (fault: string, output: unknown): NotDone => ({
  kind: 'failure',
  code: 'BAD_OUTPUT',
  error: `What it returned does not fit the schema of its output: ${fault}`,
  mayHaveHappened: true,
  isFinal: true,
  raw: JSON.stringify(output).slice(0, RAW_CHARS),
})
