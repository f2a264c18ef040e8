import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { ApiProblem, unreachable } from './problem.ts'

/** Segno sends nothing longer. */
const MOST_CHARS = 64 * 1024 * 1024

/** The messages of each chunk; the list is empty for a comment. */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  mostChars = MOST_CHARS,
): AsyncGenerator<readonly EventSourceMessage[]> {
  let found: EventSourceMessage[] = []
  let isTooLong = false
  const parser = createParser({
    maxBufferSize: mostChars,
    onEvent: (message) => found.push(message),
    onError: ({ type }) => (isTooLong ||= type === 'max-buffer-size-exceeded'),
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const leave = (): void => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreachable('The connection to Segno broke.', cause)
      })
      if (done || signal.aborted) return
      parser.feed(decoder.decode(value, { stream: true }))
      if (isTooLong) throw new ApiProblem(413, 'TOO_LARGE', 'What came is too long to be an event of Segno.')
      const batch = found
      found = []
      yield batch
    }
  } finally {
    signal.removeEventListener('abort', leave)
    leave()
  }
}
