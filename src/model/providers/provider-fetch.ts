const NOT_A_STREAM = /^(?:text\/html|text\/xml|application\/xml|application\/json|application\/problem\+json|image\/)/i

/** Callbacks for the start of an answer, by the call's signal. */
const waiting = new WeakMap<AbortSignal, () => void>()

/** Calls back when the provider begins to answer; some packages report only the first content. */
export function whenAnswered(signal: AbortSignal, onAnswer: () => void): void {
  waiting.set(signal, onAnswer)
}

/**
 * `fetch` for providers. It tells a proxy's page with status 200 from a stream that was cut, since a retry would return
 * the same page, and never follows redirects with a key.
 */
export function providerFetch(send: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' })
    if (!response.ok) return bounded(response, ERROR_BYTES, () => false)
    if (init?.signal) waiting.get(init.signal)?.()
    const type = response.headers.get('content-type') ?? ''
    if (!NOT_A_STREAM.test(type)) return bounded(response, EVENT_BYTES, LINES.test(type) ? endsLine : endsEvent)
    void response.body?.cancel().catch(() => {})
    throw Object.assign(new Error('no stream'), { noStream: type.split(';', 1)[0], isRetryable: false })
  }
}

const LINES = /ndjson|jsonl/i
const LF = 10
/** Limits of what is buffered as a whole. */
const EVENT_BYTES = 16_000_000
const ERROR_BYTES = 1_000_000

const endsLine = (chunk: Uint8Array): boolean => chunk.includes(LF)

/** Most chunks end with an event and need no search. */
function endsEvent(chunk: Uint8Array): boolean {
  const last = chunk.length - 1
  if (chunk[last] === LF && (chunk[last - 1] === LF || chunk[last - 2] === LF)) return true
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return bytes.includes('\n\n') || bytes.includes('\n\r\n')
}

/**
 * Fails a response after `most` bytes without the end of an event. It patches the reader, because a wrapping stream
 * would add a tenth to the cost of a delta.
 */
function bounded(response: Response, most: number, ends: (chunk: Uint8Array) => boolean): Response {
  const { body } = response
  if (!body) return response
  const getReader = body.getReader.bind(body) as () => ReadableStreamDefaultReader<Uint8Array>
  let held = 0
  function boundedReader(): ReadableStreamDefaultReader<Uint8Array> {
    const reader = getReader()
    const read = reader.read.bind(reader)
    reader.read = async () => {
      const chunk = await read()
      if (chunk.done) return chunk
      held = ends(chunk.value) ? 0 : held + chunk.value.length
      if (held <= most) return chunk
      void reader.cancel().catch(() => {})
      throw new Error(`${most} bytes came in which nothing ends`)
    }
    return reader
  }
  body.getReader = boundedReader as typeof body.getReader
  return response
}
