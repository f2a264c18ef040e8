import type { Inline, Styled } from './markdown-tree.ts'

/** A run of `*`, `_` or `~` that may begin or end a style; what is left of it in the end is text. */
export type Delimiter = {
  type: 'delimiter'
  char: string
  length: number
  written: number
  opens: boolean
  closes: boolean
}

// Styles deeper than this are nobody's; the oldest open one is given up, so that searching stays cheap.
const MOST_OPEN = 16
const LONGEST_RUN = 6

const SPACE = /^\s$/u
const PUNCTUATION = /^[\p{P}\p{S}]$/u
// Chinese and Japanese put no spaces around a bold word, not even next to a bracket or a full stop.
const CJK = /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\u3000-\u303f\uff00-\uffef]$/u

/** Reads the run of delimiters at a place, or nothing if it can only be text. */
export function delimiterAt(text: string, at: number): { run: string; delimiter?: Delimiter } {
  const char = text[at] ?? ''
  let end = at
  while (text[end] === char) end++
  const run = text.slice(at, end)
  // One tilde means "about" more often than "struck".
  if (run.length > LONGEST_RUN || (char === '~' && run.length !== 2)) return { run }
  const before = characterBefore(text, at)
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end) ?? 0) : ' '
  const left = flanks(after, before)
  const right = flanks(before, after)
  const inner = char === '_'
  const opens = left && (!inner || !right || PUNCTUATION.test(before))
  const closes = right && (!inner || !left || PUNCTUATION.test(after))
  if (!opens && !closes) return { run }
  return { run, delimiter: { type: 'delimiter', char, length: run.length, written: run.length, opens, closes } }
}

function flanks(inside: string, outside: string): boolean {
  if (SPACE.test(inside)) return false
  if (!PUNCTUATION.test(inside) || CJK.test(inside)) return true
  return SPACE.test(outside) || PUNCTUATION.test(outside) || CJK.test(outside)
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return ' '
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1
  return pair ? text.slice(at - 2, at) : text.slice(at - 1, at)
}

/** Pairs the delimiters: everything between two that belong together becomes one styled inline. */
export function pairDelimiters(drafts: (Inline | Delimiter)[]): Inline[] {
  const done: (Inline | Delimiter)[] = []
  const open: { delimiter: Delimiter; place: number }[] = []
  for (const draft of drafts) {
    if (draft.type !== 'delimiter') {
      done.push(draft)
      continue
    }
    if (draft.closes) close(draft, done, open)
    if (draft.length === 0) continue
    if (draft.opens) {
      if (open.length === MOST_OPEN) open.shift()
      open.push({ delimiter: draft, place: done.length })
    }
    done.push(draft)
  }
  return mergeText(done)
}

function close(closer: Delimiter, done: (Inline | Delimiter)[], open: { delimiter: Delimiter; place: number }[]): void {
  while (closer.length > 0) {
    const at = open.findLastIndex(({ delimiter }) => belongTogether(delimiter, closer))
    const found = open[at]
    if (found === undefined) return
    const opener = found.delimiter
    const width = opener.length >= 2 && closer.length >= 2 ? 2 : 1
    const children = mergeText(done.splice(found.place + 1))
    opener.length -= width
    closer.length -= width
    open.length = opener.length > 0 ? at + 1 : at
    if (opener.length === 0) done.pop()
    done.push({ type: style(opener.char, width), children })
  }
}

function belongTogether(opener: Delimiter, closer: Delimiter): boolean {
  if (opener.char !== closer.char) return false
  // CommonMark's "rule of three", which decides who is inside in `**a*b*c**`.
  if (!opener.closes && !closer.opens) return true
  const sum = opener.written + closer.written
  return sum % 3 !== 0 || (opener.written % 3 === 0 && closer.written % 3 === 0)
}

function style(char: string, width: number): Styled['type'] {
  if (char === '~') return 'strike'
  return width === 2 ? 'strong' : 'em'
}

function mergeText(drafts: (Inline | Delimiter)[]): Inline[] {
  const merged: Inline[] = []
  for (const draft of drafts) {
    const one: Inline = draft.type === 'delimiter' ? { type: 'text', text: draft.char.repeat(draft.length) } : draft
    const last = merged.at(-1)
    if (one.type === 'text' && last?.type === 'text')
      merged[merged.length - 1] = { type: 'text', text: last.text + one.text }
    else merged.push(one)
  }
  return merged
}
