import type { CommandShown, Danger, Shown } from '../contract/shown.ts'
import { visible, visibleText } from '../lib/visible.ts'
import { cutEnd } from './cut-end.ts'

/** How much of a text, diff or table a person is shown; the longest bash command fits. */
const SHOWN_CHARS = 30_000
const SHOWN_DANGERS = 100

/** Makes everything visible, and cuts what is too long to read. */
export function readable(shown: Shown): Shown {
  switch (shown.kind) {
    case 'file': {
      const text = cut(shown.text, 'text')
      const diff = shown.diff === undefined ? undefined : cut(shown.diff, 'change')
      const note = noteOf(shown.note, text.note, diff?.note)
      return { kind: 'file', path: visible(shown.path), text: text.shown, ...(diff && { diff: diff.shown }), ...note }
    }
    case 'command':
      return readableCommand(shown)
    case 'fields': {
      let left = SHOWN_CHARS
      const rows = shown.rows.flatMap(({ name, value }) => {
        const room = left
        left -= name.length + value.length
        if (room <= 0) return []
        return [{ name: visible(name.slice(0, room)), value: visibleText(value.slice(0, cutEnd(value, room))) }]
      })
      const sum = SHOWN_CHARS - left
      return { kind: 'fields', rows, ...noteOf(shown.note, left < 0 ? cutNote(sum, 'fields') : undefined) }
    }
  }
}

/** Built part by part, because invisible characters become longer and move what follows. */
function readableCommand({ text, dangers, note }: CommandShown): CommandShown {
  const whole = cut(text, 'command')
  const apart = merged(dangers)
  const end = cutEnd(text, SHOWN_CHARS)
  const seen = apart.filter(({ to }) => to <= end).slice(0, SHOWN_DANGERS)
  const unseen = new Set(apart.slice(seen.length).map(({ why }) => why))
  let written = ''
  let place = 0
  const write = (to: number): number => {
    written += visibleText(text.slice(place, to))
    place = to
    return written.length
  }
  const marked = seen.map(({ from, to, why }) => ({ from: write(from), to: write(to), why: visible(why) }))
  write(end)
  const more = unseen.size === 0 ? undefined : `Also dangerous, and not marked: ${[...unseen].map(visible).join('; ')}.`
  return { kind: 'command', text: written, dangers: marked, ...noteOf(note, whole.note, more) }
}

/** Dangers in order; overlapping ones become one. */
function merged(dangers: readonly Danger[]): Danger[] {
  const apart: { from: number; to: number; whys: Set<string> }[] = []
  for (const { from, to, why } of dangers.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last && from < last.to) {
      last.to = Math.max(last.to, to)
      last.whys.add(why)
    } else apart.push({ from, to, whys: new Set([why]) })
  }
  return apart.map(({ from, to, whys }) => ({ from, to, why: [...whys].join('; ') }))
}

function cut(text: string, what: string): { shown: string; note?: string } {
  const end = cutEnd(text, SHOWN_CHARS)
  const shown = visibleText(text.slice(0, end))
  return end === text.length ? { shown } : { shown, note: cutNote(text.length, what) }
}

const cutNote = (length: number, what: string): string =>
  `Only the first ${SHOWN_CHARS} of ${length} characters of the ${what} are shown.`

/** All notes that are given, as one. */
export function noteOf(...notes: readonly (string | undefined)[]): { note?: string } {
  const said = notes.filter((note) => note !== undefined)
  return said.length === 0 ? {} : { note: said.join(' ') }
}
