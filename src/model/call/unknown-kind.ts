const EVENTS = /^(?:message_(?:start|delta|stop)|content_block_(?:start|delta|stop)|error|ping)$|^response\./
const BLOCKS = /^(?:text|thinking|redacted_thinking|tool_use)$/
const DELTAS = /^(?:text|thinking|signature|input_json|citations)_delta$/

/**
 * Anthropic may add kinds of events that can be skipped, but its package reports them as errors; a malformed event of a
 * known kind is a real error.
 */
export function isUnknownKind(error: unknown): boolean {
  const { name, value } = (error ?? {}) as {
    name?: string
    value?: { type?: unknown; content_block?: { type?: unknown }; delta?: { type?: unknown } }
  }
  if (name !== 'AI_TypeValidationError' || typeof value?.type !== 'string') return false
  if (!EVENTS.test(value.type)) return true
  const block = value.content_block?.type
  const delta = value.type === 'content_block_delta' ? value.delta?.type : undefined
  return (typeof block === 'string' && !BLOCKS.test(block)) || (typeof delta === 'string' && !DELTAS.test(delta))
}
