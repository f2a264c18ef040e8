import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { lineSplitter } from './line-splitter.ts'
import { readAnswer } from './read-answer.ts'

/** Parses an answer into parts; one that stops before `done` ends in an error. */
export function partStream(
  body: ReadableStream<Uint8Array>,
  failed: (message: string) => Error,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  const lines = lineSplitter()
  let sent = 0
  let read: (line: string) => boolean

  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      read = readAnswer((part) => {
        sent += 1
        controller.enqueue(part)
      }, failed)
      controller.enqueue({ type: 'stream-start', warnings: [] })
    },
    async pull(controller) {
      const before = sent
      try {
        // A pull that enqueues nothing is not repeated, so it reads on until it has something.
        for (;;) {
          const { done, value } = await reader.read()
          const ended = (done ? lines.end() : lines.push(value)).some((line) => read(line))
          if (done && !ended) controller.enqueue({ type: 'error', error: failed('Ollama stopped in mid-answer') })
          if (done || ended) {
            controller.close()
            return leave()
          }
          if (sent > before) return
        }
      } catch (error) {
        leave()
        throw error
      }
    },
    cancel: leave,
  })
}
