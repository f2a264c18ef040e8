import type { Danger } from '../../contract/shown.ts'
import { DANGERS } from './dangers.ts'
import { shellLines, type Span } from './shell-words.ts'

const NAMES = /([\w:.]+)/

/** What is dangerous in a command, and where; it helps people, the protection is the sandbox. Takes linear time. */
export function dangersOf(command: string): Danger[] {
  // To a shell, r\m and "rm" are rm, and a backslash at the end of a line joins two lines.
  return [/(?!)/g, /\\\n/g, /\\\n|["'\\]/g].flatMap((left) => {
    const { text, at } = without(command, left)
    const lines = shellLines(text)
    const rules = DANGERS.map(([why, find]) => [why, find(lines)] as const)
    return [['fork bomb', endlessForks(text)] as const, ...rules].flatMap(([why, spans]) =>
      spans.map(({ from, to }) => ({ from: at(from), to: at(to - 1) + 1, why })),
    )
  })
}

/** A text without all matches, and where each remaining character was before. */
function without(text: string, pattern: RegExp): { text: string; at: (place: number) => number } {
  const gone = [...text.matchAll(pattern)].map(({ index, 0: { length } }) => ({ index, length }))
  if (gone.length === 0) return { text, at: (place) => place }
  const places: number[] = []
  let from = 0
  for (const { index, length } of [...gone, { index: text.length, length: 0 }]) {
    for (let place = from; place < index; place += 1) places.push(place)
    from = index + length
  }
  return { text: text.replaceAll(pattern, ''), at: (place) => places[place] ?? text.length }
}

/** A function that pipes into itself in the background, such as `:(){ :|:& };:`. */
function endlessForks(text: string): Span[] {
  const parts = text.split(NAMES)
  const between = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll(/\s/g, '') : ''))
  /** functions whose body is not closed yet, and where they begin */
  const open = new Map<string, number>()
  let from = parts[0]?.length ?? 0
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] ?? ''
    const after = between[at + 1] ?? ''
    const to = from + name.length + (parts[at + 1]?.length ?? 0)
    const isPipedIntoItself = after === '|' && parts[at + 2] === name && between[at + 3]?.startsWith('&') === true
    if (isPipedIntoItself && open.has(name)) return [{ from: open.get(name) ?? 0, to: to + name.length }]
    if (after.includes('}')) open.clear()
    else if (after.startsWith('(){')) open.set(name, from)
    from = to
  }
  return []
}
