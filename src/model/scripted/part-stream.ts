import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { isDelta } from './stream-parts.ts'
import type { PartSequence } from './stream-parts.ts'

/**
 * Plays the parts; with a delay each delta waits for it, without one all parts stand in the queue at once. An abort
 * errors the stream with its reason, also when parts are still unread.
 */
export function partStream(
  { parts, end }: PartSequence,
  delayMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  let abort: (() => void) | undefined

  const letGo = () => {
    clearTimeout(timer)
    if (abort) signal?.removeEventListener('abort', abort)
  }

  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      if (signal) {
        abort = () => {
          letGo()
          controller.error(signal.reason)
        }
        signal.addEventListener('abort', abort)
      }
      const send = () => {
        for (let part = parts[sent]; part; part = parts[sent]) {
          sent++
          controller.enqueue(part)
          if (delayMs > 0 && isDelta(parts[sent])) {
            timer = setTimeout(send, delayMs)
            return
          }
        }
      }
      send()
    },
    // Called when the queue has run empty: only then is an abort too late and may the listener go.
    pull(controller) {
      if (sent < parts.length || end === 'hang') return
      letGo()
      controller.close()
    },
    cancel: letGo,
  })
}
