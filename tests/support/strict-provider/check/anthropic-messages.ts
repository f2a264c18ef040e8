import { dictsOf, isDict, listOf, textOf, type Dict } from '../values.ts'
import { assistantBlockFaults, userBlockFaults } from './anthropic-blocks.ts'

/** Neighbours of one role, which the API joins; `at` is the place of the first. */
export interface Joined {
  readonly role: string
  readonly at: number
  readonly blocks: readonly Dict[]
}

const TAKES_SYSTEM = /-opus-4-8|-(?:opus|sonnet|haiku|fable)-5/

export function messageFaults(body: Dict): string[] {
  const messages = listOf(body['messages'])
  if (messages.length === 0) return ['messages: at least one message is required']
  if (!messages.every(isDict)) return ['messages: Input should be a valid list of objects']
  const joined = join(messages)
  const last = joined.at(-1)
  return [
    ...messages.flatMap((message, at) => roleFaults(message, at, messages[at - 1], textOf(body['model']))),
    ...messages.flatMap((message, at) => contentFaults(message, at)),
    ...(joined[0]?.role === 'user' ? [] : ['messages: first message must use the "user" role']),
    ...joined.flatMap((message, at) => pairFaults(message, joined[at - 1], joined[at + 1])),
    ...idFaults(joined),
    ...(last?.role === 'assistant'
      ? ['This model does not support assistant message prefill. The conversation must end with a user message.']
      : []),
  ]
}

export function blocksOf({ content }: Dict): Dict[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : dictsOf(content)
}

export function join(messages: readonly Dict[]): Joined[] {
  const joined: { role: string; at: number; blocks: Dict[] }[] = []
  for (const [at, message] of messages.entries()) {
    const role = textOf(message['role'])
    const last = joined.at(-1)
    if (last?.role === role) last.blocks.push(...blocksOf(message))
    else joined.push({ role, at, blocks: blocksOf(message) })
  }
  return joined
}

function roleFaults({ role }: Dict, at: number, before: Dict | undefined, model: string): string[] {
  if (role === 'user' || role === 'assistant') return []
  if (role !== 'system')
    return [`messages: Unexpected role "${textOf(role)}". Allowed roles are "user" or "assistant".`]
  if (!TAKES_SYSTEM.test(model)) return [`messages.${at}.role: role 'system' is not supported on this model`]
  return before?.['role'] === 'user' ? [] : [`messages.${at}.role: 'system' must directly follow a 'user' message`]
}

function contentFaults(message: Dict, at: number): string[] {
  const { role, content } = message
  if (typeof content !== 'string' && !Array.isArray(content)) return [`messages.${at}.content: Field required`]
  if (content.length === 0)
    return [`messages.${at}: all messages must have non-empty content except for the optional final assistant message`]
  const faults = role === 'assistant' ? assistantBlockFaults : userBlockFaults
  return blocksOf(message).flatMap((block, index) => faults(block, `messages.${at}.content.${index}`))
}

/** Every use answered in the next message before anything else, and nothing answered that was not asked there. */
function pairFaults({ role, at, blocks }: Joined, before: Joined | undefined, after: Joined | undefined): string[] {
  if (role === 'assistant') {
    const answered = resultsOf(leading(after?.role === 'user' ? after.blocks : []))
    const missing = usesOf(blocks).filter((id) => !answered.includes(id))
    if (missing.length === 0) return []
    return [
      `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
        `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    ]
  }
  const results = resultsOf(blocks)
  const asked = before?.role === 'assistant' ? usesOf(before.blocks) : []
  const orphans = results.filter((id) => !asked.includes(id))
  const twice = results.find((id, index) => results.indexOf(id) !== index)
  return [
    ...(orphans.length === 0
      ? []
      : [
          `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphans.join(', ')}. ` +
            'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
        ]),
    ...(twice === undefined
      ? []
      : [
          `messages.${at}.content: each tool_use must have a single result. ` +
            `Found multiple \`tool_result\` blocks with id: ${twice}`,
        ]),
  ]
}

function leading(blocks: readonly Dict[]): readonly Dict[] {
  const other = blocks.findIndex(({ type }) => type !== 'tool_result')
  return other < 0 ? blocks : blocks.slice(0, other)
}

function idFaults(joined: readonly Joined[]): string[] {
  const ids = joined.flatMap(({ blocks }) => usesOf(blocks))
  return new Set(ids).size < ids.length ? ['messages: `tool_use` ids must be unique'] : []
}

const usesOf = (blocks: readonly Dict[]): string[] =>
  blocks.flatMap((block) => (block['type'] === 'tool_use' ? [textOf(block['id'])] : []))

const resultsOf = (blocks: readonly Dict[]): string[] =>
  blocks.flatMap((block) => (block['type'] === 'tool_result' ? [textOf(block['tool_use_id'])] : []))
