import { DEEPEST_MESSAGE, watchNesting } from '../../lib/nesting.ts'
import { Misbehaviour } from './trouble.ts'

/** A fetch whose responses fail when one message is longer than `most` bytes or nested too deeply. */
export function boundedFetch(fetch: typeof globalThis.fetch, most: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
    const body = response.body.pipeThrough(messageLimit(most, isStream))
    const { status, statusText, headers, url } = response
    const bounded = new Response(body, { status, statusText, headers })
    return Object.defineProperty(bounded, 'url', { value: url })
  }
}

const LF = 10
const CR = 13

/** An event of a stream ends with an empty line; any other answer is one message. */
function messageLimit(most: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let isLineEmpty = true
  const nesting = watchNesting(DEEPEST_MESSAGE)
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes += 1
        const isLineEnd = isStream && (byte === LF || byte === CR)
        if (!isLineEnd) {
          isLineEmpty = false
          if (nesting.add(byte)) return controller.error(new Misbehaviour('a message of its is nested too deeply'))
        } else if (isLineEmpty) {
          bytes = 0
          nesting.reset()
        } else {
          isLineEmpty = true
          nesting.endLine()
        }
        if (bytes > most) return controller.error(new Misbehaviour(`a message of its has more than ${most} bytes`))
      }
      controller.enqueue(chunk)
    },
  })
}
