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
  readonly callId: string
  readonly tool: string
}

/** The calls whose results are shown shortened, and those that are shown without their files. */
export interface Shortened {
  readonly shortened: readonly string[]
  readonly withoutFiles: readonly string[]
}

export const NOTHING_SHORTENED: Shortened = { shortened: [], withoutFiles: [] }

interface Shown {
  readonly messages: readonly Message[]
  readonly notes: readonly Note[]
}

/** The oldest results of a round that exceeds the window, until the rest fits. */
export function whatToShorten(messages: readonly Message[], notes: readonly Note[], tokens: number): Shortened {
  let over = messages.reduce((sum, message) => sum + charsOf(message), 0)
  for (const note of notes) over += note.text.length + charsOfFiles(note.files)
  if (tokensOf(over) <= tokens) return NOTHING_SHORTENED
  const shortened: string[] = []
  const withoutFiles: string[] = []
  for (const { callId, text, files } of [...results(messages), ...notes]) {
    const less = text.length - shortText(text).length
    if (tokensOf(over) > tokens && less > 0) {
      shortened.push(callId)
      over -= less
    }
    if (tokensOf(over) > tokens && files.length > 0) {
      withoutFiles.push(callId)
      over -= charsOfFiles(files)
    }
  }
  return { shortened, withoutFiles }
}

function results(messages: readonly Message[]): Pick<Note, 'callId' | 'text' | 'files'>[] {
  return messages.flatMap(({ role, content }) =>
    role === 'user' ? content.flatMap((part) => (part.type === 'tool_result' ? [resultOf(part)] : [])) : [],
  )
}

const resultOf = ({ tool_use_id: callId, content: text, files = [] }: ToolResultPart) => ({ callId, text, files })

export function shorten({ messages, notes }: Shown, { shortened, withoutFiles }: Shortened): Shown {
  if (shortened.length + withoutFiles.length === 0) return { messages, notes }
  const short = new Set(shortened)
  const bare = new Set(withoutFiles)
  function textOf(callId: string, text: string, files: readonly FilePart[]): string {
    return (short.has(callId) ? shortText(text) : text) + (bare.has(callId) ? leftOut(files.length) : '')
  }
  return {
    messages: messages.map((message) => {
      if (message.role !== 'user') return message
      const content = message.content.map((part) => {
        if (part.type !== 'tool_result') return part
        const { files = [], ...rest } = part
        const content = textOf(part.tool_use_id, part.content, files)
        return { ...rest, content, ...(part.files && !bare.has(part.tool_use_id) && { files }) }
      })
      return { ...message, content }
    }),
    notes: notes.map((note) => ({
      ...note,
      text: textOf(note.callId, note.text, note.files),
      files: bare.has(note.callId) ? [] : note.files,
    })),
  }
}

/** Keeps the closing marker. */
function shortText(text: string): string {
  const closing = closingOf(text)
  const kept = text.slice(0, KEPT).toWellFormed()
  const short = `${kept}\n[… ${text.length - closing.length - KEPT} characters of this older result left out]${closing}`
  return short.length < text.length ? short : text
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
