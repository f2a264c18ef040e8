import { Buffer, isUtf8 } from 'node:buffer'
import { sha256 } from '../lib/hash.ts'
import { cutEnd } from './cut-end.ts'
import { MOST_BYTES, OutputSink } from './output-sink.ts'
import { wholeUtf8 } from './whole-utf8.ts'

/** An output as it is stored: what the model sees, and the whole of it when that is less. */
export interface ShownOutput {
  readonly content: string
  /** at most 8 MiB */
  readonly full?: Uint8Array | string
  /** characters of text left out of `content` */
  readonly cut?: number
}

/** Takes what must not be seen out of a text. */
export type Redact = (text: string) => string

export const asItIs: Redact = (text) => text
export const NO_OUTPUT = '(no output)'
const NOTHING: ShownOutput = { content: NO_OUTPUT }

/** Throws an Error that says why when the value has no written form. */
export function showOutput(value: unknown, chars: number, redact: Redact = asItIs): ShownOutput {
  if (value === undefined || value === null) return NOTHING
  if (typeof value === 'string') return showText(value, chars, redact)
  if (ArrayBuffer.isView(value)) {
    return showBytes(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), chars, redact)
  }
  if (value instanceof ArrayBuffer) return showBytes(new Uint8Array(value), chars, redact)
  // JSON would turn NaN and Infinity into null.
  if (typeof value === 'number') return showText(String(value), chars, redact)
  return showText(asJson(value), chars, redact)
}

export function showPieces(sink: OutputSink, chars: number, redact: Redact = asItIs): ShownOutput {
  const bytes = sink.take()
  if (!sink.full) return showBytes(bytes, chars, redact)
  return showKept(wholeUtf8(bytes), chars, redact, 'the tool was stopped at 8 MiB of output')
}

function showBytes(bytes: Uint8Array, chars: number, redact: Redact): ShownOutput {
  if (bytes.length <= MOST_BYTES) return showKept(bytes, chars, redact, '')
  const more = bytes.length - MOST_BYTES
  return showKept(wholeUtf8(bytes.subarray(0, MOST_BYTES)), chars, redact, `${counted(more)} bytes more were not kept`)
}

function showKept(bytes: Uint8Array, chars: number, redact: Redact, note: string): ShownOutput {
  if (isUtf8(bytes) && !bytes.includes(0)) return showText(textOf(bytes), chars, redact, note)
  const size = note === '' ? `${counted(bytes.length)} bytes` : `${counted(bytes.length)} bytes kept, ${note}`
  // The tool may go on using its buffer; what is stored must not change with it.
  return { content: `[binary output, ${size}, sha256 ${sha256(bytes)}]`, full: redactBytes(bytes, redact) }
}

function showText(raw: string, chars: number, redact: Redact, note = ''): ShownOutput {
  // Before it is cut: half of a secret is still a secret.
  const text = redact(raw)
  if (text === '' && note === '') return NOTHING
  const end = cutEnd(text, chars)
  if (end === text.length && note === '') return { content: text.toWellFormed() }
  const cut = text.length - end
  const marks = [...(cut > 0 ? [`${counted(cut)} characters cut`] : []), ...(note === '' ? [] : [note])]
  return { content: `${copied(text.slice(0, end))}\n[… ${marks.join('; ')}]`, full: withinLimit(text), cut }
}

function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const redacted = redact(text)
  return redacted === text ? bytes.slice() : Buffer.from(redacted, 'latin1')
}

/** A slice of a string keeps all of it in memory; a copy does not. */
function copied(text: string): string {
  return Buffer.from(text).toString()
}

function withinLimit(text: string): string {
  if (text.length * 3 <= MOST_BYTES) return text.toWellFormed()
  const sink = new OutputSink()
  sink.add(text)
  return textOf(sink.take())
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}

function asJson(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    throw new Error(`The tool returned something that cannot be written as JSON: ${(error as Error).message}`, {
      cause: error,
    })
  }
  if (text === undefined) throw new Error(`The tool returned a ${typeof value}, which cannot be written as JSON.`)
  return text
}

function counted(n: number): string {
  return n.toLocaleString('en-US')
}
