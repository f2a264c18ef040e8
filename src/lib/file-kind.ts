import { isUtf8 } from 'node:buffer'

/** Images and documents that a model accepts, besides any kind of text. */
export const FILE_KINDS = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const

const TEXT = /^text\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/

/** The first bytes, and those four bytes after them. */
const SIGNATURES: Readonly<Record<(typeof FILE_KINDS)[number], readonly [start: string, further?: string]>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF8'],
  'image/webp': ['RIFF', 'WEBP'],
  'application/pdf': ['%PDF-'],
}
const SIGNATURE_BYTES = 12

/** `Text/HTML; charset=utf-8` becomes `text/html`. */
export function plainMediaType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase()
}

export const NAME_CHARS = 200

/** A file name must fit on a line, because it is shown and sent in a header. */
export function isFileName(name: unknown): name is string {
  if (typeof name !== 'string' || name.length > NAME_CHARS) return false
  return name.trim() !== '' && name.isWellFormed() && !/[\p{Cc}\u2028\u2029]/u.test(name)
}

export interface FileFault {
  readonly field: 'mediaType' | 'data'
  /** worded to follow the field's name */
  readonly message: string
}

/** Why no model would accept this file; a wrong media type would make a provider refuse every later message too. */
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

/** The media type that the first bytes show. */
function kindOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  const found = FILE_KINDS.find((kind) => {
    const [start, further = ''] = SIGNATURES[kind]
    return head.startsWith(start) && head.startsWith(further, start.length + 4)
  })
  if (found !== undefined) return found
  // A PDF may have some bytes before its header.
  return Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-') ? 'application/pdf' : undefined
}
