import type { Check, Fault } from '../fault.ts'
import { isDict, listOf, textOf, type Dict } from '../values.ts'
import { contentFaults } from './chat-content.ts'
import { pairFaults } from './chat-pairs.ts'
import { isThinkingModel, openAiToolFaults } from './openai.ts'
import { openAiFormatFaults } from './output.ts'

const FIELDS = new Set(
  (
    'model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens ' +
    'max_tokens metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key ' +
    'prompt_cache_options prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier ' +
    'stop store stream stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
)
const ROLES = ['system', 'developer', 'user', 'assistant', 'tool']
const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  assistant: ['content', 'tool_calls', 'refusal', 'audio', 'name'],
  tool: ['content', 'tool_call_id'],
}
const LONGEST_DESCRIPTION = 1024
const MOST_TOOLS = 128

/**
 * What Chat Completions of OpenAI refuses. Stricter in two places, where servers of the same format differ: no message
 * is empty, and the last one is not the assistant's.
 */
export const checkChat: Check = (body) => [
  ...Object.keys(body).flatMap((field): Fault[] =>
    FIELDS.has(field) ? [] : [{ message: `Unrecognized request argument supplied: ${field}` }],
  ),
  ...(textOf(body['model']) === '' ? [{ message: 'you must provide a model parameter' }] : []),
  ...settingFaults(body),
  ...toolFaults(body),
  ...chatMessageFaults(body),
  ...fieldFaults(body),
  ...formatFaults(body['response_format']),
]

/** Of the messages, whichever server they go to. */
export function chatMessageFaults(body: Dict, roles: readonly string[] = ROLES): Fault[] {
  const messages = listOf(body['messages'])
  if (messages.length === 0) return [emptyArray('messages')]
  if (!messages.every(isDict)) return [{ message: "Invalid type for 'messages'.", param: 'messages' }]
  return [
    ...messages.flatMap(({ role }, at): Fault[] => {
      if (roles.includes(textOf(role))) return []
      const supported = roles.map((one) => `'${one}'`).join(', ')
      const message = `Invalid value: '${textOf(role)}'. Supported values are: ${supported}.`
      return [{ message, param: `messages[${at}].role`, code: 'invalid_value' }]
    }),
    ...messages.flatMap((message, at) => contentFaults(message, `messages[${at}]`)),
    ...pairFaults(messages),
    ...(messages.at(-1)?.['role'] === 'assistant'
      ? [{ message: 'The last message must not be from the assistant.', param: 'messages' }]
      : []),
  ]
}

export const emptyArray = (param: string): Fault => ({
  message: `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
  param,
  code: 'empty_array',
})

function fieldFaults(body: Dict): Fault[] {
  return listOf(body['messages']).flatMap((message, at) => {
    if (!isDict(message)) return []
    const allowed = ['role', ...(MESSAGE_FIELDS[textOf(message['role'])] ?? ['content', 'name'])]
    return Object.keys(message).flatMap((field): Fault[] => {
      const param = `messages[${at}].${field}`
      return allowed.includes(field)
        ? []
        : [{ message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' }]
    })
  })
}

function formatFaults(format: unknown): Fault[] {
  if (format === undefined) return []
  const { type, json_schema: schema } = isDict(format) ? format : {}
  if (type === 'json_schema' && isDict(schema)) return openAiFormatFaults(schema, 'response_format.json_schema')
  return type === 'json_object' || type === 'text'
    ? []
    : [{ message: "Invalid value: 'response_format.type'.", param: 'response_format.type', code: 'invalid_value' }]
}

function settingFaults(body: Dict): Fault[] {
  const unsupported = isThinkingModel(textOf(body['model']))
    ? ['max_tokens', 'temperature', 'top_p'].filter((field) => body[field] !== undefined)
    : []
  return [
    ...unsupported.map((param) => ({
      message: `Unsupported parameter: '${param}' is not supported with this model.`,
      param,
      code: 'unsupported_parameter',
    })),
    ...(body['stream_options'] !== undefined && body['stream'] !== true
      ? [
          {
            message: "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
            param: 'stream_options',
          },
        ]
      : []),
  ]
}

function toolFaults(body: Dict): Fault[] {
  if (body['tools'] === undefined) {
    return ['tool_choice', 'parallel_tool_calls'].flatMap((param): Fault[] =>
      body[param] === undefined ? [] : [{ message: `'${param}' is only allowed when 'tools' are specified.`, param }],
    )
  }
  const tools = listOf(body['tools'])
  if (tools.length === 0) return [emptyArray('tools')]
  const functions = tools.map((tool) => (isDict(tool) && isDict(tool['function']) ? tool['function'] : {}))
  return [
    ...(tools.length > MOST_TOOLS
      ? [
          {
            message: `Invalid 'tools': array too long. Expected an array with maximum length ${MOST_TOOLS}, but got an array with length ${tools.length} instead.`,
            param: 'tools',
            code: 'array_above_max_length',
          },
        ]
      : []),
    ...functions.flatMap((one, at) => openAiToolFaults(one, `tools[${at}].function`, LONGEST_DESCRIPTION)),
    ...choiceFaults(
      body['tool_choice'],
      functions.map(({ name }) => textOf(name)),
    ),
  ]
}

function choiceFaults(choice: unknown, names: readonly string[]): Fault[] {
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return []
  const name = isDict(choice) && isDict(choice['function']) ? textOf(choice['function']['name']) : undefined
  if (name === undefined) return [{ message: "Invalid value for 'tool_choice'.", param: 'tool_choice' }]
  if (names.includes(name)) return []
  return [{ message: `Invalid value for 'tool_choice': function '${name}' is not in 'tools'.`, param: 'tool_choice' }]
}
