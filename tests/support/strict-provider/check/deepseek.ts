import type { Check, Fault } from '../fault.ts'
import type { Sent } from '../sent.ts'
import { dictsOf, isDict, listOf, textOf, type Dict } from '../values.ts'
import { chatMessageFaults } from './chat.ts'
import { schemaFaults } from './json-schema.ts'

const FIELDS = new Set(
  (
    'model messages frequency_penalty logprobs max_tokens presence_penalty reasoning_effort response_format stop stream ' +
    'stream_options temperature thinking tool_choice tools top_logprobs top_p user_id'
  ).split(' '),
)
const ROLES = ['system', 'user', 'assistant', 'tool']
const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const V4 = /deepseek-v4|^deepseek-(?:flash|pro)/

/** What DeepSeek refuses: Chat Completions, and reasoning that must come back, or must not. */
export const checkDeepSeek: Check = (body, { sent }) =>
  [
    ...Object.keys(body).flatMap((field): Fault[] =>
      FIELDS.has(field)
        ? []
        : [{ message: `Failed to deserialize the JSON body into the target type: unknown field \`${field}\`` }],
    ),
    ...(textOf(body['model']) === '' ? [{ message: 'Model Not Exist' }] : []),
    ...chatMessageFaults(body, ROLES),
    ...alternationFaults(body),
    ...toolFaults(body),
    ...choiceFaults(body),
    ...formatFaults(body['response_format']),
    ...reasoningFaults(body, sent),
  ].map((fault) => ({ code: 'invalid_request_error', ...fault }))

function toolFaults(body: Dict): Fault[] {
  const tools = listOf(body['tools'])
  if (body['tools'] === undefined)
    return body['tool_choice'] === undefined
      ? []
      : [{ message: "'tool_choice' is only allowed when 'tools' are specified." }]
  if (tools.length === 0) return [{ message: "[] is too short - 'tools'" }]
  const functions = tools.map((tool) => (isDict(tool) && isDict(tool['function']) ? tool['function'] : {}))
  const names = functions.map(({ name }) => textOf(name))
  return [
    ...functions.flatMap(({ name, parameters }, at): Fault[] => [
      ...(NAME.test(textOf(name))
        ? []
        : [{ message: `Invalid 'tools[${at}].function.name': string does not match pattern '${NAME.source}'.` }]),
      ...(parameters === undefined || (isDict(parameters) && parameters['type'] === 'object')
        ? []
        : [{ message: `Invalid schema for function '${textOf(name)}': schema must be of type "object".` }]),
      ...(parameters !== undefined && schemaFaults(parameters).length > 0
        ? [{ message: `Invalid schema for function '${textOf(name)}': ${schemaFaults(parameters).join('; ')}.` }]
        : []),
    ]),
    ...(new Set(names).size < names.length ? [{ message: 'Tool names must be unique.' }] : []),
  ]
}

/** A model that thinks cannot be made to call a tool. */
function choiceFaults({ model, tool_choice: choice, thinking }: Dict): Fault[] {
  const isOff = isDict(thinking) && thinking['type'] === 'disabled'
  const thinks = model === 'deepseek-reasoner' || (V4.test(textOf(model)) && !isOff)
  return thinks && (choice === 'required' || isDict(choice))
    ? [{ message: 'deepseek-reasoner does not support this tool_choice' }]
    : []
}

/** It knows no schemas. */
const formatFaults = (format: unknown): Fault[] =>
  isDict(format) && format['type'] === 'json_schema'
    ? [{ message: 'This response_format type is unavailable now' }]
    : []

/** The model of this name is the only one that wants turns taken strictly. */
function alternationFaults({ model, messages }: Dict): Fault[] {
  if (model !== 'deepseek-reasoner') return []
  const roles = dictsOf(messages).map(({ role }) => role)
  return roles.flatMap((role, at): Fault[] =>
    role !== roles[at - 1] || (role !== 'user' && role !== 'assistant')
      ? []
      : [
          {
            message:
              'deepseek-reasoner does not support successive user or assistant messages ' +
              `(messages[${at - 1}] and messages[${at}] in your input). ` +
              'You should interleave the user/assistant messages in the message sequence.',
          },
        ],
  )
}

function reasoningFaults(body: Dict, sent: Sent): Fault[] {
  const messages = dictsOf(body['messages'])
  const { thinking } = body
  if (!V4.test(textOf(body['model']))) return forbiddenReasoning(messages)
  if (isDict(thinking) && thinking['type'] === 'disabled') return []
  return messages.flatMap((message, at): Fault[] => {
    if (message['role'] !== 'assistant' || isAsSent(message, sent)) return []
    const place = ` (messages[${at}])`
    return [{ message: `The \`reasoning_content\` in the thinking mode must be passed back to the API.${place}` }]
  })
}

/** It is there; of a turn that used tools it is what was sent. */
function isAsSent(message: Dict, sent: Sent): boolean {
  const { reasoning_content: reasoning } = message
  if (typeof reasoning !== 'string') return false
  const calls = dictsOf(message['tool_calls']).map((call) =>
    textOf(isDict(call['function']) && call['function']['name']),
  )
  if (calls.length === 0) return true
  const thoughts = sent.reasonings(textOf(message['content']), calls)
  return thoughts.length === 0 || thoughts.includes(reasoning)
}

/** The older models take reasoning of the running tool loop only. */
function forbiddenReasoning(messages: readonly Dict[]): Fault[] {
  const spoke = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(0, Math.max(spoke, 0))
    .flatMap((message, at): Fault[] =>
      message['reasoning_content'] === undefined
        ? []
        : [{ message: `\`reasoning_content\` must not be in the input messages (messages[${at}])` }],
    )
}
