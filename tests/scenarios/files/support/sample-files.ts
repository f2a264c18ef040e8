import type { NewFile } from '../../../../src/contract/message.ts'
import { sha256 } from '../../../../src/lib/hash.ts'

/** A file to send, and what is to be found of it afterwards. */
export interface Sample {
  readonly bytes: Buffer
  readonly hash: string
  /** as the library takes it */
  readonly file: NewFile
  /** as HTTP takes it */
  readonly json: NewFile & { readonly data: string }
  /** as it is shown */
  readonly part: object
}

function sample(mediaType: string, name: string | undefined, bytes: Buffer): Sample {
  const hash = sha256(bytes)
  const named = name === undefined ? {} : { name }
  return {
    bytes,
    hash,
    file: { type: 'file', mediaType, ...named, data: new Uint8Array(bytes) },
    json: { type: 'file', mediaType, ...named, data: bytes.toString('base64') },
    part: { type: 'file', mediaType, ...named, hash, bytes: bytes.length },
  }
}

/** Bytes no text has, so that whoever takes them for text is found out. */
const NOISE = Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 37) % 256))

export const picture = (of = 'Žofie'): Sample =>
  sample(
    'image/png',
    `a photo "of" ${of}.png`,
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), NOISE, Buffer.from(of)]),
  )

export const textFile = (words = 'CONFIDENTIAL words in a file'): Sample =>
  sample('text/plain', undefined, Buffer.from(words))
