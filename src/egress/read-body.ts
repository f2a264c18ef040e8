import { pipeline, type Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { EgressFailed } from './errors.ts'

export const ACCEPTED_ENCODINGS = 'gzip, br'

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** No text compresses better than this, only decompression bombs do. */
const MOST_RATIO = 200
const RATIO_FROM_BYTES = 1024 * 1024

/**
 * Decompresses a body as fast as it is read, at most `maxBytes` on both sides; stacked encodings are refused because
 * they multiply.
 */
export function readBody(body: Readable, encoding: string, maxBytes: number): Readable {
  const word = encoding.trim().toLowerCase()
  const came = meter((bytes) => {
    if (bytes > maxBytes) throw tooLarge(maxBytes)
  })
  if (word === '' || word === 'identity') return pipeline(body, came.stream, ignore)
  const decoder = DECODERS[word]
  if (decoder === undefined) {
    const failure = new EgressFailed(
      'unreadable',
      `The answer is encoded as "${word.slice(0, 40)}", which is not read.`,
    )
    return pipeline(body, came.stream, ignore).destroy(failure)
  }
  const unpacked = meter((bytes) => {
    if (bytes > maxBytes) throw tooLarge(maxBytes)
    if (bytes > RATIO_FROM_BYTES && bytes > came.count() * MOST_RATIO)
      throw new EgressFailed('too_large', `The answer unpacks to more than ${MOST_RATIO} times its size.`)
  })
  const unpack = decoder().on('error', (error) => {
    unpacked.stream.destroy(new EgressFailed('unreadable', `The answer is not really encoded as ${word}.`, error))
  })
  return pipeline(body, came.stream, unpack, unpacked.stream, ignore)
}

/** Passes everything through and calls `check` with the byte count; if it throws, the stream ends. */
function meter(check: (bytes: number) => void): { readonly stream: Transform; count(): number } {
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      try {
        check(bytes)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  return { stream, count: () => bytes }
}

function tooLarge(maxBytes: number): EgressFailed {
  return new EgressFailed('too_large', `The answer is larger than ${maxBytes.toLocaleString('en-US')} bytes.`)
}

/** The reader of the last stream gets the error. */
const ignore = (): void => undefined
