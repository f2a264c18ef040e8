import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { isDelta, type PartSequence } from './stream-parts.ts'

/** Plays the parts, with a delay before each delta; an abort fails the stream even if parts are unread. */
export function partStream(
  { parts, end }: PartSequence,
  delayMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  let abort: (() => void) | undefined

  const cleanUp = () => {
    clearTimeout(timer)
    if (abort) signal?.removeEventListener('abort', abort)
  }

  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      if (signal) {
        abort = () => {
          cleanUp()
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
    // Called when the queue is empty, and only then is it too late for an abort.
    pull(controller) {
      if (sent < parts.length || end === 'hang') return
      cleanUp()
      controller.close()
    },
    cancel: cleanUp,
  })
}
