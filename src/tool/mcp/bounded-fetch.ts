import { DEEPEST_MESSAGE, watchNesting } from '../../lib/nesting.ts'
import { Misbehaviour } from './trouble.ts'

/** The given fetch, with answers that fail once one message of theirs is longer than `most` bytes. */
export function boundedFetch(fetch: typeof globalThis.fetch, most: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const isStream = response.headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false
    const body = response.body.pipeThrough(isStream ? eventLimit(most) : totalLimit(most))
    const { status, statusText, headers, url } = response
    const bounded = new Response(body, { status, statusText, headers })
    return Object.defineProperty(bounded, 'url', { value: url })
  }
}

function totalLimit(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  const nesting = watchNesting(DEEPEST_MESSAGE)
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > most) return controller.error(tooLong(most))
      for (const byte of chunk) if (nesting.add(byte)) return controller.error(tooDeep())
      controller.enqueue(chunk)
    },
  })
}

const LF = 10
const CR = 13

/** Events end with an empty line; what counts is how much came since the last one. */
function eventLimit(most: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  let isLineEmpty = true
  const nesting = watchNesting(DEEPEST_MESSAGE)
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        bytes += 1
        if (byte !== LF && byte !== CR) {
          isLineEmpty = false
          if (nesting.add(byte)) return controller.error(tooDeep())
        } else if (isLineEmpty) {
          bytes = 0
          nesting.reset()
        } else {
          isLineEmpty = true
          nesting.endLine()
        }
        if (bytes > most) return controller.error(tooLong(most))
      }
      controller.enqueue(chunk)
    },
  })
}

const tooDeep = (): Error => new Misbehaviour('a message of its is nested too deeply')

function tooLong(most: number): Error {
  return new Misbehaviour(`a message of its has more than ${most} bytes`)
}
