import type { Fault } from '../fault.ts'
import { isDict, listOf, type Dict } from '../values.ts'
import { innerSchemas, schemaFaults } from './json-schema.ts'
import { nameFaults } from './openai.ts'

/** What OpenAI refuses of the format of an answer: `{ name, schema, strict }`. */
export function openAiFormatFaults(format: Dict, path: string): Fault[] {
  const { schema, strict } = format
  const unknown = Object.keys(format).filter(
    (field) => !['type', 'name', 'description', 'schema', 'strict'].includes(field),
  )
  const wrong = isDict(schema) && schema['type'] === 'object' ? schemaFaults(schema) : ['schema must be an object']
  const loose = strict === true && wrong.length === 0 ? looseParts(schema) : []
  return [
    ...unknown.map((field) => ({ message: `Unknown parameter: '${path}.${field}'.`, param: `${path}.${field}` })),
    ...nameFaults(format['name'], `${path}.name`),
    ...[...wrong, ...loose].map((why) => ({
      message: `Invalid schema for response_format: ${why}.`,
      param: path,
      code: 'invalid_json_schema',
    })),
  ]
}

/** In a strict schema every object is closed, and all of its fields are required. */
function looseParts(schema: unknown): string[] {
  if (!isDict(schema)) return []
  const { properties, required } = schema
  const isLoose =
    isDict(properties) &&
    (schema['additionalProperties'] !== false ||
      Object.keys(properties).some((name) => !listOf(required).includes(name)))
  return [
    ...(isLoose ? ["'required' must name every property and 'additionalProperties' must be false"] : []),
    ...innerSchemas(schema).flatMap(([, inner]) => looseParts(inner)),
  ]
}

/** What Anthropic refuses: objects that are not closed, and schemas that refer to themselves. */
export function anthropicFormatFaults(config: unknown): string[] {
  const format = isDict(config) ? config['format'] : undefined
  if (format === undefined) return []
  if (!isDict(format) || format['type'] !== 'json_schema' || !isDict(format['schema']))
    return ["output_config.format: Input should be {type: 'json_schema', schema}"]
  return [...schemaFaults(format['schema']), ...openParts(format['schema'])].map(
    (why) => `output_config.format.schema: ${why}`,
  )
}

function openParts(schema: unknown): string[] {
  if (!isDict(schema)) return []
  return [
    ...(schema['type'] === 'object' && schema['additionalProperties'] !== false
      ? ["For 'object' type, 'additionalProperties' must be explicitly set to false"]
      : []),
    ...('$ref' in schema ? ['references are not resolved here'] : []),
    ...innerSchemas(schema).flatMap(([, inner]) => openParts(inner)),
  ]
}
