import { Problem } from '../../contract/problem.ts'

export interface DocumentLimits {
  /** bytes of the uploaded document */
  readonly bytes: number
  readonly parseMs: number
  readonly memoryBytes: number
  /** characters of the extracted text */
  readonly chars: number
  readonly chunks: number
}

/** Of the memory, what the texts inside of a DOCX may unpack to; reading them takes many times as much. */
export const unpackedBytes = ({ memoryBytes }: Pick<DocumentLimits, 'memoryBytes'>): number =>
  Math.floor(memoryBytes / UNPACKED_SHARE)
const UNPACKED_SHARE = 8

/** Why a document is refused; the child tells one of these words and nothing else. */
export type FaultKind = keyof typeof MESSAGES

const MESSAGES = {
  bytes: ({ bytes }) =>
    `is larger than ${count(bytes)} bytes; upload a smaller document, split it, or raise ${limit('BYTES')}`,
  time: ({ parseMs }) =>
    `took longer than ${count(parseMs)} ms to read; split the document, save it in a simpler format, or raise ${limit('PARSE_MS')}`,
  memory: ({ memoryBytes }) =>
    `needs more than ${count(memoryBytes)} bytes of memory to be read; split the document, save it in a simpler format, or raise ${limit('MEMORY_BYTES')}`,
  chars: ({ chars }) =>
    `has more than ${count(chars)} characters of text; split the document or raise ${limit('CHARS')}`,
  chunks: ({ chunks }) =>
    `has more than ${count(chunks)} chunks of text; split the document or raise ${limit('CHUNKS')}`,
  unpacked: (limits) =>
    `is a DOCX document that unpacks to more than ${count(unpackedBytes(limits))} bytes, an eighth of ${limit('MEMORY_BYTES')}; split the document, or raise that limit if you trust it`,
  'not-utf8': () => 'is not UTF-8 text; save it with the encoding UTF-8 and upload it again',
  'wrong-type': () => 'is not of the type that was given; upload it with the right type or file name ending',
  'old-word': () => 'is not a DOCX document but an older format; save it as .docx and upload it again',
  encrypted: () => 'is protected by a password; remove the protection and upload it again',
  'no-text': () => 'is a PDF without any text, perhaps a scan; run text recognition (OCR) on it and upload it again',
  empty: () => 'has no text; upload a document with text',
  broken: () => 'could not be read, it is damaged or unusual; open it, save it anew and upload it again',
} satisfies Record<string, (limits: DocumentLimits) => string>

const limit = (name: string): string => `SEGNO_LIMITS_DOCUMENT_${name}`
const count = (amount: number): string => amount.toLocaleString('en-US')

/** A document that is refused, before it is known to whom. */
export class DocumentFault extends Error {
  readonly kind: FaultKind

  constructor(kind: FaultKind) {
    super(kind)
    this.kind = kind
  }
}

export function isFaultKind(value: unknown): value is FaultKind {
  return typeof value === 'string' && Object.hasOwn(MESSAGES, value)
}

export function problemOf(kind: FaultKind, limits: DocumentLimits): Problem {
  return new Problem('VALIDATION_ERROR', `The document ${MESSAGES[kind](limits)}.`, { field: 'content' })
}
