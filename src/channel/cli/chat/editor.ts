import { graphemeAt } from './columns.ts'
import type { Key } from './keys.ts'

/** `cursor` counts UTF-16 units and is never inside a character. */
export interface Editor {
  readonly text: string
  readonly cursor: number
  readonly history: readonly string[]
  /** the entry of the history that is shown; its length means the draft */
  readonly at: number
  readonly draft: string
}

export const newEditor = (history: readonly string[] = []): Editor => ({
  text: '',
  cursor: 0,
  history,
  at: history.length,
  draft: '',
})

/** Adds a sent text to the history and starts an empty one. */
export function remember({ history }: Editor, text: string): Editor {
  return newEditor(history.at(-1) === text ? history : [...history, text])
}

export const withText = (editor: Editor, text: string): Editor => ({ ...editor, text, cursor: text.length })

export function edit(editor: Editor, key: Key): { readonly editor: Editor; readonly submit?: string } {
  if (key.name !== 'enter') return { editor: changed(editor, key) }
  const { text, cursor } = editor
  if (text.endsWith('\\') && cursor === text.length) return { editor: replaced(editor, cursor - 1, cursor, '\n') }
  return { editor, submit: text }
}

function changed(editor: Editor, key: Key): Editor {
  const { text, cursor } = editor
  if ('text' in key) return replaced(editor, cursor, cursor, key.text)
  if (key.name === 'newline') return replaced(editor, cursor, cursor, '\n')
  if (key.name === 'up') return up(editor)
  if (key.name === 'down') return down(editor)
  const to = MOVES[key.name]?.(text, cursor)
  if (to !== undefined) return { ...editor, cursor: to }
  const end = DELETIONS[key.name]?.(text, cursor)
  return end === undefined ? editor : replaced(editor, Math.min(cursor, end), Math.max(cursor, end), '')
}

function replaced(editor: Editor, from: number, to: number, by: string): Editor {
  const text = editor.text.slice(0, from) + by + editor.text.slice(to)
  return { ...editor, text, cursor: from + by.length }
}

const before = (text: string, cursor: number): number => graphemeAt(text, cursor - 1)?.start ?? 0
const after = (text: string, cursor: number): number => graphemeAt(text, cursor)?.end ?? text.length
const lineStart = (text: string, cursor: number): number => text.lastIndexOf('\n', cursor - 1) + 1
const lineEnd = (text: string, cursor: number): number => {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** Goes back over blanks, then over characters of one kind; an accent belongs to its letter. */
function wordBefore(text: string, cursor: number): number {
  let start = cursor
  let kind = 'blank'
  for (; start > 0; start--) {
    const next = kindOf(text[start - 1] ?? '')
    if (next === 'accent' || next === kind) continue
    if (kind !== 'blank') break
    kind = next
  }
  return start
}

function kindOf(unit: string): 'blank' | 'accent' | 'letter' | 'sign' {
  if (/\s/.test(unit)) return 'blank'
  if (/\p{M}/u.test(unit)) return 'accent'
  return /[\p{L}\p{N}_]/u.test(unit) ? 'letter' : 'sign'
}

const wordAfter = (text: string, cursor: number): number =>
  cursor + (/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)|^\s+/u.exec(text.slice(cursor))?.[0].length ?? 0)

type Place = (text: string, cursor: number) => number

const MOVES: Partial<Record<Key['name'], Place>> = {
  left: before,
  right: after,
  home: lineStart,
  end: lineEnd,
  wordLeft: wordBefore,
  wordRight: wordAfter,
}

/** The other end of the deleted text. */
const DELETIONS: Partial<Record<Key['name'], Place>> = {
  backspace: before,
  delete: after,
  endOfInput: after,
  deleteWordLeft: wordBefore,
  deleteWordRight: wordAfter,
  deleteToStart: lineStart,
  deleteToEnd: lineEnd,
}

/** One line up, or from the first line to the previous message. */
function up(editor: Editor): Editor {
  const { text, cursor, at } = editor
  const start = lineStart(text, cursor)
  if (start > 0) return { ...editor, cursor: sameColumn(text, cursor - start, lineStart(text, start - 1)) }
  return at === 0 ? editor : shown(editor, at - 1)
}

function down(editor: Editor): Editor {
  const { text, cursor, at, history } = editor
  const end = lineEnd(text, cursor)
  if (end < text.length) return { ...editor, cursor: sameColumn(text, cursor - lineStart(text, cursor), end + 1) }
  return at === history.length ? editor : shown(editor, at + 1)
}

function sameColumn(text: string, column: number, start: number): number {
  const end = lineEnd(text, start)
  return start + column < end ? (graphemeAt(text, start + column)?.start ?? end) : end
}

function shown(editor: Editor, at: number): Editor {
  const draft = editor.at === editor.history.length ? editor.text : editor.draft
  const text = at === editor.history.length ? draft : (editor.history[at] ?? '')
  return { ...editor, at, draft, text, cursor: text.length }
}
