/** A message as the Messages API takes it in `messages`. */
export interface AnthropicMessage {
  readonly role: string
  readonly content: string | readonly AnthropicBlock[]
}

export interface AnthropicBlock {
  readonly type: string
  readonly [field: string]: unknown
}

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/**
 * What the Anthropic Messages API would refuse about a conversation that is to be continued, or nothing. Written from
 * the published rules; stricter in one place: neighbours of the same role are refused, where the API would join them.
 */
export function anthropicFault(messages: readonly AnthropicMessage[]): string | undefined {
  if (messages.length === 0) return 'messages: at least one message is required'
  if (messages[0]?.role !== 'user') return 'messages.0: the first message must be from the user'
  const used = new Set<string>()
  let owed: readonly string[] = []
  for (const [at, message] of messages.entries()) {
    const fault = faultOfMessage(message, messages[at - 1], used, owed)
    if (fault !== undefined) return `messages.${at}: ${fault}`
    owed = usesOf(message)
  }
  return messages.at(-1)?.role === 'user' ? undefined : 'messages: the conversation must end with a user message'
}

function faultOfMessage(
  message: AnthropicMessage,
  previous: AnthropicMessage | undefined,
  used: Set<string>,
  owed: readonly string[],
): string | undefined {
  if (message.role !== 'user' && message.role !== 'assistant') return `role ${message.role} does not exist`
  if (message.role === previous?.role) return 'roles must alternate'
  const blocks = blocksOf(message)
  if (blocks.length === 0) return 'content must not be empty'
  for (const block of blocks) {
    const fault = message.role === 'user' ? faultOfUserBlock(block) : faultOfAssistantBlock(block, used)
    if (fault !== undefined) return fault
  }
  return message.role === 'user' ? faultOfResults(blocks, owed) : undefined
}

function faultOfUserBlock(block: AnthropicBlock): string | undefined {
  if (block.type === 'text') return faultOfText(block)
  if (block.type !== 'tool_result') return `a user message cannot hold ${block.type}`
  if (typeof block['tool_use_id'] !== 'string') return 'tool_result needs a tool_use_id'
  return typeof block['content'] === 'string' ? undefined : 'the content of a tool_result must be text here'
}

function faultOfAssistantBlock(block: AnthropicBlock, used: Set<string>): string | undefined {
  switch (block.type) {
    case 'text':
      return faultOfText(block)
    case 'thinking':
      return typeof block['signature'] === 'string' && block['signature'] !== ''
        ? undefined
        : 'thinking must carry its signature'
    case 'tool_use':
      return faultOfUse(block, used)
    default:
      return `an assistant message cannot hold ${block.type}`
  }
}

function faultOfText(block: AnthropicBlock): string | undefined {
  if (typeof block['text'] !== 'string') return 'a text block needs text'
  return /\S/.test(block['text']) ? undefined : 'text content blocks must contain non-whitespace text'
}

function faultOfUse(block: AnthropicBlock, used: Set<string>): string | undefined {
  const { id, name, input } = block
  if (typeof id !== 'string' || !ID.test(id)) return 'the id of a tool_use must match ^[a-zA-Z0-9_-]+$'
  if (used.has(id)) return `tool_use ids must be unique: ${id}`
  used.add(id)
  if (typeof name !== 'string' || !NAME.test(name)) return `the name of a tool_use must match ${NAME.source}`
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? undefined : 'the input of a tool_use must be an object'
}

/** `owed`: the uses of the message before, each of which this one must answer before it says anything else. */
function faultOfResults(blocks: readonly AnthropicBlock[], owed: readonly string[]): string | undefined {
  const results = blocks.filter((block) => block.type === 'tool_result')
  const answered = results.map((block) => String(block['tool_use_id']))
  const orphan = answered.find((id) => !owed.includes(id))
  if (orphan !== undefined) return `tool_result without its tool_use in the message before: ${orphan}`
  const missing = owed.find((id) => !answered.includes(id))
  if (missing !== undefined) return `tool_use without a tool_result right after: ${missing}`
  if (new Set(answered).size < answered.length) return 'a tool_use has several tool_result blocks'
  const firstOther = blocks.findIndex((block) => block.type !== 'tool_result')
  return firstOther >= 0 && firstOther < results.length ? 'tool_result blocks must come first' : undefined
}

function blocksOf({ content }: AnthropicMessage): readonly AnthropicBlock[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

function usesOf(message: AnthropicMessage): string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [String(block['id'])] : []))
}
