import { dictsOf, isDict, listOf, textOf, type Dict } from '../values.ts'
import { blocksOf } from './anthropic-messages.ts'
import { ALWAYS_THINKS } from './anthropic-thinking.ts'
import { schemaFaults } from './json-schema.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/

const FIELDS = new Set(
  (
    'type name description input_schema cache_control strict eager_input_streaming defer_loading allowed_callers ' +
    'input_examples'
  ).split(' '),
)
const CHOICES = ['auto', 'any', 'tool', 'none']
const COMBINED = ['oneOf', 'allOf', 'anyOf']

export function toolFaults(body: Dict): string[] {
  const tools = listOf(body['tools'])
  const names = dictsOf(tools).map(({ name }) => textOf(name))
  return [
    ...tools.flatMap((tool, at) =>
      isDict(tool) ? faultsOfTool(tool, at) : [`tools.${at}: Input should be an object`],
    ),
    ...(new Set(names).size < names.length ? ['tools: Tool names must be unique.'] : []),
    ...choiceFaults(body, names),
    ...(names.length === 0 && hasToolBlocks(body)
      ? ['Requests which include `tool_use` or `tool_result` blocks must define tools.']
      : []),
  ]
}

function faultsOfTool(tool: Dict, at: number): string[] {
  const schema = tool['input_schema']
  const path = `tools.${at}.custom`
  return [
    ...Object.keys(tool).flatMap((field) =>
      FIELDS.has(field) ? [] : [`${path}.${field}: Extra inputs are not permitted`],
    ),
    ...(NAME.test(textOf(tool['name'])) ? [] : [`${path}.name: String should match pattern '${NAME.source}'`]),
    ...(isDict(schema) ? faultsOfSchema(schema, path) : [`${path}.input_schema: Field required`]),
  ]
}

function faultsOfSchema(schema: Dict, path: string): string[] {
  if (schema['type'] !== 'object') return [`${path}.input_schema.type: Input should be 'object'`]
  if (COMBINED.some((word) => word in schema))
    return [`${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`]
  return schemaFaults(schema).length === 0
    ? []
    : [`${path}.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12`]
}

function choiceFaults({ tool_choice: choice, thinking, model: of }: Dict, names: readonly string[]): string[] {
  const model = textOf(of)
  if (choice === undefined) return []
  if (names.length === 0) return ['tool_choice: `tool_choice` may only be specified while providing `tools`.']
  if (!isDict(choice) || !CHOICES.includes(textOf(choice['type']))) return ['tool_choice.type: Input tag is not valid']
  if (choice['type'] === 'tool' && !names.includes(textOf(choice['name'])))
    return [`Tool '${textOf(choice['name'])}' not found in provided tools`]
  const forces = choice['type'] === 'any' || choice['type'] === 'tool'
  if (forces && ((isDict(thinking) && thinking['type'] === 'enabled') || ALWAYS_THINKS.test(model)))
    return ['Thinking may not be enabled when tool_choice forces tool use.']
  return []
}

function hasToolBlocks(body: Dict): boolean {
  return dictsOf(body['messages']).some((message) =>
    blocksOf(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  )
}
