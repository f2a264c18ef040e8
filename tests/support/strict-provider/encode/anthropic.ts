import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { anthropicError } from '../errors.ts'
import { signatureOf } from '../issued.ts'
import { sse, tokensOf, type CreateEncoder } from './encoder.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

const STOPS: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
}

export const encodeAnthropic: CreateEncoder = ({ model, id }) => {
  let index = -1
  let thinking = ''
  const told = (type: string, more: object): string => sse({ type, ...more }, type)
  const begin = (block: object): string => {
    index += 1
    const start = told('content_block_start', { index, content_block: block })
    return index === 0 ? start + told('ping', {}) : start
  }
  const delta = (piece: object): string => told('content_block_delta', { index, delta: piece })
  const stop = (): string => told('content_block_stop', { index })

  return {
    keepAlive: told('ping', {}),
    error: (status) => sse(anthropicError(status, 'The answer failed.', id), 'error'),
    part(part) {
      switch (part.type) {
        case 'stream-start':
          return told('message_start', { message: messageOf(model, id) })
        case 'reasoning-start':
          thinking = ''
          return begin({ type: 'thinking', thinking: '', signature: '' })
        case 'reasoning-delta':
          thinking += part.delta
          return delta({ type: 'thinking_delta', thinking: part.delta })
        case 'reasoning-end':
          return delta({ type: 'signature_delta', signature: signatureOf(model, thinking) }) + stop()
        case 'text-start':
          return begin({ type: 'text', text: '' })
        case 'text-delta':
          return delta({ type: 'text_delta', text: part.delta })
        case 'tool-input-start':
          return (
            begin({ type: 'tool_use', id: part.id, name: part.toolName, input: {} }) +
            delta({ type: 'input_json_delta', partial_json: '' })
          )
        case 'tool-input-delta':
          return delta({ type: 'input_json_delta', partial_json: part.delta })
        case 'text-end':
        case 'tool-input-end':
          return stop()
        case 'finish':
          return told('message_delta', ending(part)) + told('message_stop', {})
        default:
          return ''
      }
    },
  }
}

/** Tokens are known at the end only. */
function messageOf(model: string, id: string): object {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
  }
}

function ending({ finishReason, usage }: Finish): object {
  const { input, output, cachedRead, cachedWrite, reasoning } = tokensOf(usage)
  return {
    delta: { stop_reason: STOPS[finishReason.unified] ?? 'end_turn', stop_sequence: null },
    usage: {
      input_tokens: input - cachedRead - cachedWrite,
      cache_creation_input_tokens: cachedWrite,
      cache_read_input_tokens: cachedRead,
      output_tokens: output,
      ...(reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } }),
    },
  }
}
