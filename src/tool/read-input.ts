import type { z } from 'zod'
import type { JsonObject } from '../contract/message.ts'
import type { InputSchema, JsonSchema, ZodLike } from '../contract/tool.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import { visible } from '../lib/visible.ts'
import { errorText } from './error-text.ts'
import { checkAgainst, compileSchema, loadZod, type Validation } from './schema-check.ts'
import { schemaFault } from './schema-fault.ts'
import { foreignCheck, type Turn } from './schema-thread.ts'

export interface ToolInput {
  readonly jsonSchema: JsonSchema
  readonly validate: (args: JsonObject) => Promise<Validation>
}

/** Rejects with an error that says what is wrong with the schema. */
export async function readInput(input: InputSchema): Promise<ToolInput> {
  if (isZod(input)) return readZod(input)
  const jsonSchema = readJsonSchema(input)
  let compiled: Promise<z.ZodType> | undefined
  return { jsonSchema, validate: (args) => checkAgainst((compiled ??= compileSchema(jsonSchema)), args) }
}

/** The same for a schema that somebody else wrote, which must not block the process. */
export async function readForeignInput(input: InputSchema, turn?: Turn): Promise<ToolInput> {
  if (isZod(input)) return readZod(input)
  const jsonSchema = readJsonSchema(input)
  return { jsonSchema, validate: (args) => foreignCheck(jsonSchema, args, turn) }
}

/** Checks a value against a schema that somebody else wrote; nothing fits an invalid schema. */
export async function checkInput(schema: JsonSchema, value: JsonObject, turn?: Turn): Promise<Validation> {
  try {
    return await (await readForeignInput(schema, turn)).validate(value)
  } catch (error) {
    return { ok: false, message: visible(errorText(error)) }
  }
}

/** The same for an answer of a model, apart from tools: whoever may send a message may write its schema. */
export async function checkAnswer(schema: JsonSchema, answer: JsonObject): Promise<Validation> {
  try {
    return await foreignCheck(readJsonSchema(schema), answer, { kind: 'answers' })
  } catch (error) {
    return { ok: false, message: visible(errorText(error)) }
  }
}

/** Why no answer can be checked against this schema. */
export async function schemaProblem(schema: JsonSchema): Promise<string | undefined> {
  const checked = await checkAnswer(schema, {})
  return checked.ok || checked.isUnfit ? undefined : checked.message
}

function readJsonSchema(input: unknown): JsonSchema {
  const jsonSchema = JSON.parse(JSON.stringify(input)) as JsonSchema
  const fault = schemaFault(jsonSchema)
  if (fault !== undefined) throw new Error(fault)
  return jsonSchema
}

async function readZod(schema: ZodLike): Promise<ToolInput> {
  const zod = await loadZod()
  const type = schema as unknown as z.ZodType
  const { $schema: _, ...jsonSchema } = zod.toJSONSchema(type, { io: 'input' })
  if (jsonSchema.type !== 'object') throw new Error('the arguments of a tool are an object, as in z.object({ … })')
  const output = zod.toJSONSchema(type, { io: 'output' })
  // Arguments are stored, compared, and checked again after an approval or a restart.
  if (shape(jsonSchema) !== shape(output)) {
    throw new Error('it turns values into other types; do that inside run, so that checking twice gives the same')
  }
  return { jsonSchema: jsonSchema as JsonSchema, validate: (args) => checkAgainst(Promise.resolve(type), args) }
}

/** What comes as JSON is never one, whatever its fields are called: it brings no functions. */
function isZod(input: InputSchema): input is ZodLike {
  const inside: unknown = (input as Partial<ZodLike> | null)?._zod
  return typeof inside === 'object' && inside !== null && 'run' in inside && typeof inside.run === 'function'
}

/** A schema without what may differ between given arguments and those with defaults filled in. */
function shape(schema: object): string {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    const differs =
      ['$schema', 'required', 'default'].includes(key) || (key === 'additionalProperties' && value === false)
    return differs ? undefined : value
  })
  return canonicalJson(JSON.parse(text))
}
