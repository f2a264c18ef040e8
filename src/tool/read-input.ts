import type { z } from 'zod'
import type { JsonObject } from '../contract/message.ts'
import type { InputSchema, JsonSchema, ZodLike } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { errorText } from './error-text.ts'
import { issuesText } from './issues-text.ts'
import { schemaFault } from './schema-fault.ts'
import { tightened } from './tightened.ts'

export interface ToolInput {
  readonly jsonSchema: JsonSchema
  readonly validate: (args: JsonObject) => Promise<Validation>
}

export type Validation =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string }

type Zod = typeof import('zod')

// Zod takes longer to load than the rest of Segno to start: it comes with the first thing that needs it.
let zodModule: Promise<Zod> | undefined
const loadZod = (): Promise<Zod> => (zodModule ??= import('zod'))

/** Rejects with an Error that says what is wrong with the schema. */
export async function readInput(input: InputSchema): Promise<ToolInput> {
  if (isZod(input)) return readZod(input)
  const jsonSchema = JSON.parse(JSON.stringify(input)) as JsonSchema
  const fault = schemaFault(jsonSchema)
  if (fault !== undefined) throw new Error(fault)
  let compiled: Promise<z.ZodType> | undefined
  return { jsonSchema, validate: (args) => check((compiled ??= compile(jsonSchema)), args) }
}

/** Does something fit a schema that somebody else wrote? A schema nobody can read lets nothing through. */
export async function checkInput(schema: JsonSchema, value: JsonObject): Promise<Validation> {
  try {
    return await (await readInput(schema)).validate(value)
  } catch (error) {
    return { ok: false, message: errorText(error) }
  }
}

async function readZod(schema: ZodLike): Promise<ToolInput> {
  const zod = await loadZod()
  const type = schema as unknown as z.ZodType
  const { $schema: _, ...jsonSchema } = zod.toJSONSchema(type, { io: 'input' })
  if (jsonSchema.type !== 'object') throw new Error('the arguments of a tool are an object, as in z.object({ … })')
  const output = zod.toJSONSchema(type, { io: 'output' })
  // Arguments are stored, compared, and checked once more after an approval or a restart.
  if (shape(jsonSchema) !== shape(output)) {
    throw new Error('it turns values into other types; do that inside run, so that checking twice gives the same')
  }
  return { jsonSchema: jsonSchema as JsonSchema, validate: (args) => check(Promise.resolve(type), args) }
}

async function compile(schema: JsonSchema): Promise<z.ZodType> {
  const zod = await loadZod()
  // Zod's global registry belongs to whoever uses Segno as a library.
  return zod.fromJSONSchema(tightened(schema) as Parameters<Zod['fromJSONSchema']>[0], { registry: zod.registry() })
}

async function check(schema: Promise<z.ZodType>, args: JsonObject): Promise<Validation> {
  try {
    const [zod, type] = await Promise.all([loadZod(), schema])
    const parsed = await zod.safeParseAsync(type, args)
    if (parsed.success) return { ok: true, args: parsed.data as JsonObject }
    return { ok: false, message: issuesText(parsed.error.issues, args) }
  } catch (error) {
    return { ok: false, message: `The arguments cannot be checked: ${errorText(error)}` }
  }
}

function isZod(input: InputSchema): input is ZodLike {
  return typeof input === 'object' && input !== null && '_zod' in input
}

/** A schema without what may rightly differ between the arguments given and the arguments with defaults filled in. */
function shape(schema: object): string {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    const differs =
      ['$schema', 'required', 'default'].includes(key) || (key === 'additionalProperties' && value === false)
    return differs ? undefined : value
  })
  return canonicalJson(JSON.parse(text))
}
