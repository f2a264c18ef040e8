import type { Check, Fault } from '../fault.ts'
import { dictsOf, isDict, listOf, textOf, type Dict } from '../values.ts'
import { emptyArray } from './chat.ts'
import { isThinkingModel, openAiToolFaults } from './openai.ts'
import { openAiFormatFaults } from './output.ts'
import { itemFaults } from './responses-items.ts'
import { pairFaults, reasoningFaults } from './responses-pairs.ts'

const FIELDS = new Set(
  (
    'background context_management conversation include input instructions max_output_tokens max_tool_calls metadata ' +
    'model parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention ' +
    'reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools ' +
    'top_logprobs top_p truncation user'
  ).split(' '),
)
const ENCRYPTED = 'reasoning.encrypted_content'

/** What the Responses API refuses of a client that lets it store nothing. Stricter in that the last item is not the assistant's. */
export const checkResponses: Check = (body) => {
  const input = dictsOf(body['input'])
  return [
    ...Object.keys(body).flatMap((param): Fault[] =>
      FIELDS.has(param) ? [] : [{ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }],
    ),
    ...(textOf(body['model']) === '' ? [missing('model')] : []),
    ...inputFaults(body['input']),
    ...settingFaults(body),
    ...toolFaults(body),
    ...input.flatMap((item, at) => itemFaults(item, `input[${at}]`)),
    ...pairFaults(input),
    ...reasoningFaults(input, textOf(body['model'])),
    ...endFaults(input),
    ...formatFaults(body['text']),
    ...leastFaults(body['max_output_tokens']),
  ]
}

const missing = (param: string): Fault => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: 'missing_required_parameter',
})

function inputFaults(input: unknown): Fault[] {
  if (!Array.isArray(input)) return [missing('input')]
  return input.length === 0 ? [emptyArray('input')] : []
}

function formatFaults(text: unknown): Fault[] {
  const format = isDict(text) ? text['format'] : undefined
  return isDict(format) && format['type'] === 'json_schema' ? openAiFormatFaults(format, 'text.format') : []
}

const LEAST = 16

function leastFaults(most: unknown): Fault[] {
  if (typeof most !== 'number' || most >= LEAST) return []
  const param = 'max_output_tokens'
  const message = `Invalid '${param}': integer below minimum value. Expected a value >= ${LEAST}, but got ${most} instead.`
  return [{ message, param, code: 'integer_below_min_value' }]
}

function endFaults(input: readonly Dict[]): Fault[] {
  const last = input.at(-1)
  return last?.['role'] === 'assistant'
    ? [{ message: 'The last item must not be from the assistant.', param: 'input' }]
    : []
}

function settingFaults(body: Dict): Fault[] {
  const thinks = isThinkingModel(textOf(body['model']))
  const unsupported = (thinks ? ['temperature', 'top_p'] : ['reasoning']).filter((field) => body[field] !== undefined)
  const { previous_response_id: previous } = body
  return [
    ...unsupported.map((param) => ({
      message: `Unsupported parameter: '${param}' is not supported with this model.`,
      param,
      code: 'unsupported_parameter',
    })),
    ...(!thinks && listOf(body['include']).includes(ENCRYPTED)
      ? [{ message: 'Encrypted content is not supported with this model.', param: 'include' }]
      : []),
    ...(previous === undefined || previous === null
      ? []
      : [
          {
            message: `Previous response with id '${textOf(previous)}' not found.`,
            param: 'previous_response_id',
            code: 'previous_response_not_found',
          },
        ]),
  ]
}

function toolFaults(body: Dict): Fault[] {
  const tools = listOf(body['tools'])
  const { tool_choice: choice } = body
  if (tools.length === 0)
    return choice === undefined
      ? []
      : [{ message: "Tool choice must be specified with 'tools' parameter.", param: 'tool_choice' }]
  const names = dictsOf(tools).map(({ name }) => textOf(name))
  const chosen = isDict(choice) ? textOf(choice['name']) : undefined
  return [
    ...tools.flatMap((tool, at): Fault[] =>
      isDict(tool) && tool['type'] === 'function'
        ? openAiToolFaults(tool, `tools[${at}]`)
        : [{ message: `Invalid value for 'tools[${at}].type'.`, param: `tools[${at}].type`, code: 'invalid_value' }],
    ),
    ...(new Set(names).size < names.length ? [{ message: 'Tool names must be unique.', param: 'tools' }] : []),
    ...(chosen === undefined || names.includes(chosen)
      ? []
      : [{ message: `Tool choice '${chosen}' not found in 'tools' parameter.`, param: 'tool_choice' }]),
  ]
}
