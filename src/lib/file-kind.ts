import { isUtf8 } from 'node:buffer'

/** Pictures and documents a model can be given. Besides them: any kind of text. */
export const FILE_KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const

const TEXT = /^text\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/

/** What stands at the beginning, and what four bytes further on. */
const SIGNATURES: Readonly<Record<(typeof FILE_KINDS)[number], readonly [start: string, further?: string]>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF8'],
  'image/webp': ['RIFF', 'WEBP'],
  'application/pdf': ['%PDF-'],
}
const SIGNATURE_BYTES = 12

/** `Text/HTML; charset=utf-8` is `text/html`. */
export function plainMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

export const NAME_CHARS = 200

/** A name fits on a line: it is shown to people and models, and sent in a header. */
export function isFileName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > NAME_CHARS) return false
  return name.trim() !== '' && name.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(name)
}

export interface FileFault {
  readonly field: 'mediaType' | 'data'
  /** worded to follow the name of the field */
  readonly message: string
}

/**
 * Why no model could be given this file, if that is sure. A provider refuses a picture that is not what it is said to
 * be, and would refuse it again with every later message of the conversation.
 */
export function fileFault(mediaType: string, bytes: Uint8Array): FileFault | undefined {
  const isText = TEXT.test(mediaType)
  if (!isText && !(FILE_KINDS as readonly string[]).includes(mediaType))
    return { field: 'mediaType', message: `must be ${FILE_KINDS.join(', ')} or text/…` }
  if (bytes.length === 0) return { field: 'data', message: 'is empty' }
  if (isText) return isUtf8(bytes) ? undefined : { field: 'data', message: `is ${mediaType}, but not in UTF-8` }
  const found = kindOf(bytes)
  if (found === mediaType) return undefined
  return { field: 'mediaType', message: `says ${mediaType}, but the data is ${found ?? 'nothing of the kind'}` }
}

/** What the first bytes say it is, if they say anything. */
function kindOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  const found = FILE_KINDS.find((kind) => {
    const [start, further = ''] = SIGNATURES[kind]
    return head.startsWith(start) && head.startsWith(further, start.length + 4)
  })
  if (found !== undefined) return found
  // A document may have some bytes before its own.
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-') ? 'application/pdf' : undefined
}
