import type { Fault } from '../fault.ts'
import { isDict, textOf, type Dict } from '../values.ts'
import { innerSchemas, schemaFaults } from './json-schema.ts'

/** What both APIs of OpenAI have in common. */

const NAME = /^[a-zA-Z0-9_-]+$/
const LONGEST_NAME = 64
const COMBINED = ['oneOf', 'anyOf', 'allOf', 'enum', 'not']

/** Models that think take no sampling settings. */
export const isThinkingModel = (model: string): boolean => /^(?:o\d|gpt-[56])/.test(model)

export const tooLong = (param: string, most: number, length: number): Fault => ({
  message: `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`,
  param,
  code: 'string_above_max_length',
})

export function nameFaults(name: unknown, param: string): Fault[] {
  const text = textOf(name)
  if (text === '')
    return [{ message: `Missing required parameter: '${param}'.`, param, code: 'missing_required_parameter' }]
  if (text.length > LONGEST_NAME) return [tooLong(param, LONGEST_NAME, text.length)]
  if (NAME.test(text)) return []
  const message = `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${NAME.source}'.`
  return [{ message, param, code: 'invalid_value' }]
}

const FIELDS = ['type', 'name', 'description', 'parameters', 'strict']

/** A function as a tool: `{ name, description, parameters }`. */
export function openAiToolFaults(tool: Dict, path: string, longestDescription = Infinity): Fault[] {
  const { name, description, parameters } = tool
  const length = textOf(description).length
  return [
    ...Object.keys(tool).flatMap((field): Fault[] => {
      const param = `${path}.${field}`
      return FIELDS.includes(field)
        ? []
        : [{ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }]
    }),
    ...nameFaults(name, `${path}.name`),
    ...(length > longestDescription ? [tooLong(`${path}.description`, longestDescription, length)] : []),
    ...(parameters === undefined ? [] : parameterFaults(parameters, textOf(name), `${path}.parameters`)),
  ]
}

function parameterFaults(schema: unknown, name: string, param: string): Fault[] {
  const fault = (why: string): Fault[] => [
    { message: `Invalid schema for function '${name}': ${why}`, param, code: 'invalid_function_parameters' },
  ]
  const type = isDict(schema) ? schema['type'] : undefined
  if (!isDict(schema) || type !== 'object')
    return fault(`schema must be a JSON Schema of 'type: "object"', got 'type: "${textOf(type) || 'None'}"'.`)
  if (COMBINED.some((word) => word in schema))
    return fault("schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.")
  const [wrong] = schemaFaults(schema)
  if (wrong !== undefined) return fault(`${wrong}.`)
  const [incomplete] = incompleteParts(schema, '()')
  return incomplete === undefined ? [] : fault(incomplete)
}

/** An object says which properties it has, a list what is in it. */
function incompleteParts(schema: unknown, context: string): string[] {
  if (!isDict(schema)) return []
  return [
    ...(context === '()' && schema['properties'] === undefined
      ? [`In context=${context}, object schema missing properties.`]
      : []),
    ...(schema['type'] === 'array' && schema['items'] === undefined && schema['prefixItems'] === undefined
      ? [`In context=${context}, array schema missing items.`]
      : []),
    ...innerSchemas(schema).flatMap(([word, inner]) =>
      incompleteParts(
        inner,
        `(${word
          .split('.')
          .map((one) => `'${one}'`)
          .join(', ')})`,
      ),
    ),
  ]
}
