import type { FilePart, Message, ToolResultPart } from '../contract/message.ts'
import { charsOfFiles } from '../lib/token-guess.ts'
import { tokensOf } from './cut.ts'
import { closingOf } from '../lib/between-markers.ts'

const KEPT = 500

/** A result that is shown as a system message. */
export interface Note {
  readonly text: string
  readonly files: readonly FilePart[]
  /** the number of the call in its round, from 1 */
  readonly call: number
  readonly tool: string
}

/** Shortens the oldest results of a round that exceeds the window, and leaves out their files, until the rest fits. */
export function shortenOldest(
  messages: Message[],
  notes: readonly Note[],
  tokens: number,
): { messages: Message[]; notes: readonly Note[] } {
  let over = messages.reduce((sum, message) => sum + charsOf(message), 0)
  for (const note of notes) over += note.text.length + charsOfFiles(note.files)
  if (tokensOf(over) <= tokens) return { messages, notes }

  function shortened(text: string): string {
    if (tokensOf(over) <= tokens) return text
    const short = shorten(text)
    if (short.length >= text.length) return text
    over -= text.length - short.length
    return short
  }

  function dropped(files: readonly FilePart[]): boolean {
    if (files.length === 0 || tokensOf(over) <= tokens) return false
    over -= charsOfFiles(files)
    return true
  }

  function shortenResult(part: ToolResultPart): ToolResultPart {
    const { files = [], ...rest } = part
    const content = shortened(part.content)
    if (!dropped(files)) return { ...part, content }
    return { ...rest, content: content + leftOut(files.length) }
  }

  return {
    messages: messages.map((message) => {
      if (message.role !== 'user') return message
      const content = message.content.map((part) => (part.type === 'tool_result' ? shortenResult(part) : part))
      return { ...message, content }
    }),
    notes: notes.map((note) => {
      const text = shortened(note.text)
      if (!dropped(note.files)) return { ...note, text }
      return { ...note, text: text + leftOut(note.files.length), files: [] }
    }),
  }
}

/** Keeps the closing marker. */
function shorten(text: string): string {
  const closing = closingOf(text)
  const kept = text.slice(0, KEPT).toWellFormed()
  return `${kept}\n[… ${text.length - closing.length - KEPT} characters of this older result left out]${closing}`
}

const leftOut = (files: number): string => `\n[… files of this older result left out: ${files}]`

function charsOf(message: Message): number {
  let chars = 0
  for (const part of message.content) {
    if (part.type === 'tool_result') chars += part.content.length + charsOfFiles(part.files ?? [])
    else if (part.type === 'tool_use') chars += part.name.length + 100
    else if (part.type === 'file') chars += charsOfFiles([part])
    else chars += part.text.length
  }
  return chars
}
