const NOT_A_STREAM = /^(?:text\/html|text\/xml|application\/xml|application\/json|application\/problem\+json|image\/)/i

/** Who is to be told that a provider began to answer, by the signal of the call. */
const waiting = new WeakMap<AbortSignal, () => void>()

/** Tells when a provider begins to answer the call with this signal: some packages say so with the first words only. */
export function whenAnswered(signal: AbortSignal, tell: () => void): void {
  waiting.set(signal, tell)
}

/**
 * `fetch` for providers. A page of some proxy that answers 200 is told apart from a stream that was cut: asking again
 * would bring the same page. A key goes to the address it was given for and is not sent on to another.
 */
export const providerFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'manual' })
  if (!response.ok) return bounded(response, ERROR_BYTES, () => false)
  if (init?.signal) waiting.get(init.signal)?.()
  const type = response.headers.get('content-type') ?? ''
  if (!NOT_A_STREAM.test(type)) return bounded(response, EVENT_BYTES, LINES.test(type) ? endsLine : endsEvent)
  void response.body?.cancel().catch(() => {})
  throw Object.assign(new Error('no stream'), { noStream: type.split(';', 1)[0], isRetryable: false })
}

const LINES = /ndjson|jsonl/i
const LF = 10
/** What is read as a whole is held in memory, so it may not go on for ever. */
const EVENT_BYTES = 16_000_000
const ERROR_BYTES = 1_000_000

const endsLine = (chunk: Uint8Array): boolean => chunk.includes(LF)

/** Most chunks end with an event, and need not be searched. */
function endsEvent(chunk: Uint8Array): boolean {
  const last = chunk.length - 1
  if (chunk[last] === LF && (chunk[last - 1] === LF || chunk[last - 2] === LF)) return true
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
  return bytes.includes('\n\n') || bytes.includes('\n\r\n')
}

/**
 * Makes reading a response fail once `most` bytes came in which nothing ends. The reader is changed where it is made:
 * another stream around the first would cost a tenth of all it takes to read a delta.
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
