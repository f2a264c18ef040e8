import { openAiError } from '../errors.ts'
import { isDict } from '../values.ts'
import { sse, tokensOf, type Answering, type Encoder, type Tokens } from './encoder.ts'

const STOPS: Readonly<Record<string, string>> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
}

/** What servers of this format do differently. */
export interface Manner {
  /** DeepSeek shows its reasoning; OpenAI keeps it */
  readonly showsReasoning: boolean
  /** in a chunk of its own after the last one, or in the last one */
  readonly usage: 'own chunk' | 'last chunk'
  readonly keepAlive: string
  usageOf(tokens: Tokens): object
}

export function encodeChat({ model, id, body }: Answering, manner: Manner): Encoder {
  let call = -1
  const chunk = (choices: readonly object[], usage: object | null = null): string =>
    sse({ id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created: 1_790_000_000, model, choices, usage })
  const delta = (piece: object, finish: string | null = null): object => ({
    index: 0,
    delta: piece,
    logprobs: null,
    finish_reason: finish,
  })
  const options = body['stream_options']
  const wantsUsage = isDict(options) && options['include_usage'] === true

  return {
    keepAlive: manner.keepAlive,
    error: (status) => sse(openAiError(status, { message: 'The answer failed.' })),
    part(part) {
      switch (part.type) {
        case 'stream-start':
          return chunk([delta({ role: 'assistant', content: manner.showsReasoning ? null : '' })])
        case 'reasoning-delta':
          return manner.showsReasoning ? chunk([delta({ content: null, reasoning_content: part.delta })]) : ''
        case 'text-delta':
          return chunk([delta({ content: part.delta })])
        case 'tool-input-start':
          call += 1
          return chunk([
            delta({
              tool_calls: [
                { index: call, id: part.id, type: 'function', function: { name: part.toolName, arguments: '' } },
              ],
            }),
          ])
        case 'tool-input-delta':
          return chunk([delta({ tool_calls: [{ index: call, function: { arguments: part.delta } }] })])
        case 'finish': {
          const stop = STOPS[part.finishReason.unified] ?? 'stop'
          const usage = wantsUsage ? manner.usageOf(tokensOf(part.usage)) : null
          const inLast = manner.usage === 'last chunk'
          return (
            chunk([delta({}, stop)], inLast ? usage : null) + (usage && !inLast ? chunk([], usage) : '') + sse('[DONE]')
          )
        }
        default:
          return ''
      }
    },
  }
}
