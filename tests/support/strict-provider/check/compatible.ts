import type { Check, Fault } from '../fault.ts'
import { dictsOf, isDict, listOf, textOf, type Dict } from '../values.ts'
import { chatMessageFaults } from './chat.ts'

const MISTRAL_FIELDS = new Set(
  (
    'model messages frequency_penalty max_tokens metadata n parallel_tool_calls prediction presence_penalty ' +
    'prompt_mode random_seed reasoning_effort response_format safe_prompt stop stream temperature tool_choice tools top_p'
  ).split(' '),
)
const MISTRAL_MESSAGES: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'prefix'],
  tool: ['role', 'content', 'tool_call_id', 'name'],
}
const NINE = /^[a-zA-Z0-9]{9}$/

/** What Mistral refuses: fields it does not know, ids of another form, and a user who speaks right after results. */
export const checkMistral: Check = (body) => {
  const messages = dictsOf(body['messages'])
  const ids = messages.flatMap((message) => [
    ...dictsOf(message['tool_calls']).map(({ id }) => textOf(id)),
    ...(message['role'] === 'tool' ? [textOf(message['tool_call_id'])] : []),
  ])
  return [
    ...chatMessageFaults(body),
    ...Object.keys(body).flatMap((field) => (MISTRAL_FIELDS.has(field) ? [] : [forbidden(`body, ${field}`)])),
    ...(isDict(body['tools']) || listOf(body['tools']).length > 0 || body['tools'] === undefined
      ? []
      : [forbidden('body, tools')]),
    ...messages.flatMap((message, at) =>
      fieldFaults(message, MISTRAL_MESSAGES).map((field) => forbidden(`body, messages, ${at}, ${field}`)),
    ),
    ...ids
      .filter((id) => !NINE.test(id))
      .map((id) => ({ message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.` })),
    ...messages.flatMap(({ role }, at): Fault[] =>
      role === 'user' && messages[at - 1]?.['role'] === 'tool'
        ? [{ message: "Unexpected role 'user' after role 'tool'" }]
        : [],
    ),
  ]
}

const GROQ_MESSAGES: Readonly<Record<string, readonly string[]>> = {
  assistant: ['role', 'content', 'tool_calls', 'name', 'reasoning'],
}

/** Groq refuses thoughts in the form in which others take them. */
export const checkGroq: Check = (body) => [
  ...chatMessageFaults(body),
  ...dictsOf(body['messages']).flatMap((message, at) =>
    fieldFaults(message, GROQ_MESSAGES).map((field) => ({
      message: `'messages.${at}' : property '${field}' is unsupported`,
    })),
  ),
]

/** Kimi wants thoughts with every call, whoever made it. */
export const checkKimi: Check = (body) => [
  ...chatMessageFaults(body),
  ...dictsOf(body['messages']).flatMap((message, at): Fault[] =>
    message['role'] === 'assistant' && dictsOf(message['tool_calls']).length > 0 && !message['reasoning_content']
      ? [
          {
            message: `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
          },
        ]
      : [],
  ),
]

/** Fields of a message that its role does not have. */
function fieldFaults(message: Dict, known: Readonly<Record<string, readonly string[]>>): string[] {
  const fields = known[textOf(message['role'])]
  return fields ? Object.keys(message).filter((field) => !fields.includes(field)) : []
}

const forbidden = (place: string): Fault => ({ message: `Extra inputs are not permitted (${place})` })
