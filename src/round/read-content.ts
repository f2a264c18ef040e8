import type { FilePart, TextPart, UserPart } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import { fileFault, isFileName, NAME_CHARS, plainMediaType } from '../lib/file-kind.ts'
import { sha256 } from '../lib/hash.ts'
import type { Blob } from '../store/index.ts'
import { checkLength, checkText } from './checks.ts'

export interface ContentLimits {
  readonly messageChars: number
  readonly fileBytes: number
  readonly messageFiles: number
}

/** A message and the bytes of its files. */
export interface ReadContent {
  readonly content: string | readonly UserPart[]
  readonly files: readonly Blob[]
}

const MOST_PARTS = 100

/** Checks a message; throws a Problem that names the invalid field. */
export function readContent(content: unknown, limits: ContentLimits): ReadContent {
  if (!Array.isArray(content)) {
    // The length is checked first, so that long text is not searched.
    if (typeof content === 'string') checkLength(content.length, limits.messageChars)
    return { content: checkText(content, 'content', 'text or a list of parts'), files: [] }
  }
  checkCounts(content, limits)
  const files: Blob[] = []
  const parts = content.map((part: unknown, i): UserPart => {
    const field = `content[${i}]`
    if (isPart(part, 'text')) return readText(part, field)
    if (!isPart(part, 'file'))
      throw invalidField(field, 'must be {type: "text", text} or {type: "file", mediaType, data}')
    const { file, blob } = readFile(part, field, limits.fileBytes)
    files.push(blob)
    return file
  })
  checkLength(
    parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0),
    limits.messageChars,
  )
  return { content: parts, files }
}

function checkCounts(parts: readonly unknown[], { messageFiles }: ContentLimits): void {
  if (parts.length === 0) throw invalidField('content', 'is an empty list; send at least one part')
  if (parts.length > MOST_PARTS)
    throw invalidField(
      'content',
      `has ${parts.length} parts, at most ${MOST_PARTS} are taken; join texts that stand together`,
    )
  const files = parts.filter((part) => isPart(part, 'file')).length
  if (files <= messageFiles) return
  const why = `has ${files} files, at most ${messageFiles} are taken (limit MESSAGE_FILES). Send the rest by itself`
  throw invalidField('content', why)
}

type Fields = Readonly<Record<string, unknown>>

function isPart(part: unknown, type: UserPart['type']): part is Fields {
  return typeof part === 'object' && part !== null && 'type' in part && part.type === type
}

function readText(part: Fields, field: string): TextPart {
  checkFields(part, field, ['type', 'text'])
  return { type: 'text', text: checkText(part['text'], `${field}.text`, 'text') }
}

function readFile(part: Fields, field: string, fileBytes: number): { file: FilePart; blob: Blob } {
  checkFields(part, field, ['type', 'mediaType', 'name', 'data'])
  const { mediaType: type, name } = part
  if (typeof type !== 'string') throw invalidField(`${field}.mediaType`, 'must be a media type such as image/png')
  const mediaType = plainMediaType(type)
  const bytes = readData(part['data'], `${field}.data`, fileBytes)
  const fault = fileFault(mediaType, bytes)
  if (fault) throw invalidField(`${field}.${fault.field}`, fault.message)
  if (name !== undefined && !isFileName(name))
    throw invalidField(`${field}.name`, `must be a name of 1 to ${NAME_CHARS} characters on one line`)
  const hash = sha256(bytes)
  const named = name === undefined ? {} : { name }
  return { file: { type: 'file', mediaType, ...named, hash, bytes: bytes.length }, blob: { hash, bytes } }
}

function readData(data: unknown, field: string, most: number): Uint8Array {
  if (typeof data !== 'string' && !(data instanceof Uint8Array))
    throw invalidField(field, 'must be the bytes in base64')
  const length = typeof data === 'string' ? Buffer.byteLength(data, 'base64') : data.length
  if (length > most)
    throw invalidField(field, `has ${length} bytes, at most ${most} are taken (limit FILE_BYTES). Send a smaller file`)
  // A copy, because the caller may change theirs.
  if (typeof data !== 'string') return new Uint8Array(data)
  const bytes = Buffer.from(data, 'base64')
  // Node ignores invalid characters, so only a round trip shows whether it was base64.
  if (bytes.toString('base64') !== data)
    throw invalidField(field, 'is not base64; send the bytes in standard base64, with padding and without line breaks')
  return bytes
}

function checkFields(part: Fields, field: string, known: readonly string[]): void {
  const unknown = Object.keys(part).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalidField(`${field}.${unknown.slice(0, 50)}`, 'is not a field of a part of this type')
}
