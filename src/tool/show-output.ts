import { Buffer } from 'node:buffer'
import { StringDecoder } from 'node:string_decoder'
import { sha256 } from '../lib/hash.ts'
import { cutEnd } from './cut-end.ts'
import { MOST_BYTES, type OutputSink } from './output-sink.ts'
import { utf8Text } from './utf8-text.ts'

/** An output as it is stored. */
export interface ShownOutput {
  /** what the model sees */
  readonly content: string
  /** the whole output if `content` is not all of it, at most 8 MiB */
  readonly full?: Uint8Array | string
  /** characters of text left out of `content` */
  readonly cut?: number
}

/** Removes secrets from a text. */
export type Redact = (text: string) => string

export const NO_OUTPUT = '(no output)'
const NOTHING: ShownOutput = { content: NO_OUTPUT }

/** Throws an error with the reason if the value cannot be written as text. */
export function showOutput(value: unknown, chars: number, redact: Redact): ShownOutput {
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

export function showPieces(sink: OutputSink, chars: number, redact: Redact): ShownOutput {
  return showBytes(sink.take(), chars, redact, sink.full ? 'the tool was stopped at 8 MiB of output' : '')
}

function showBytes(output: Uint8Array, chars: number, redact: Redact, stopped = ''): ShownOutput {
  const bytes = output.subarray(0, MOST_BYTES)
  const more = output.length - bytes.length
  const note = more > 0 ? `${counted(more)} bytes more were not kept` : stopped
  const text = utf8Text(bytes, note !== '')
  if (text !== undefined) return showText(text, chars, redact, note)
  const size = note === '' ? `${counted(bytes.length)} bytes` : `${counted(bytes.length)} bytes kept, ${note}`
  return { content: `[binary output, ${size}, sha256 ${sha256(bytes)}]`, full: redactBytes(bytes, redact) }
}

function showText(raw: string, chars: number, redact: Redact, note = ''): ShownOutput {
  // Before it is cut, because a part of a secret is still one.
  const text = redact(raw)
  if (text === '' && note === '') return NOTHING
  const end = cutEnd(text, chars)
  if (end === text.length && note === '') return { content: text.toWellFormed() }
  const cut = text.length - end
  const marks = [...(cut > 0 ? [`${counted(cut)} characters cut`] : []), ...(note === '' ? [] : [note])]
  // A slice of a string keeps all of it in memory, a copy does not.
  const start = Buffer.from(text.slice(0, end)).toString()
  return { content: `${start}\n[… ${marks.join('; ')}]`, full: withinLimit(text), cut }
}

/** A copy, because the tool may go on using its buffer. */
function redactBytes(bytes: Uint8Array, redact: Redact): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const redacted = redact(text)
  return redacted === text ? bytes.slice() : Buffer.from(redacted, 'latin1')
}

/** Drops the character that the limit would split. */
function withinLimit(text: string): string {
  return new StringDecoder('utf8').write(Buffer.from(text.slice(0, MOST_BYTES)).subarray(0, MOST_BYTES))
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
