import type { Tint } from './paint.ts'

export interface Span {
  readonly text: string
  readonly tints: readonly Tint[]
}

/** How far to look for the end of a mark; without a limit, a line of nothing but marks would take forever. */
const LONGEST_DOUBT = 300

type Construct = (text: string, before: string, tints: readonly Tint[]) => Found
/** `wait`: more text is needed to tell. `no`: the mark is plain text. */
type Found = { readonly spans: Span[]; readonly length: number } | 'wait' | 'no'

/** Reads as much of a line as is certain; `rest` needs more text. In a whole line, unclosed marks are plain text. */
export function readInline(line: string, isWhole: boolean, before = ''): { spans: Span[]; rest: string } {
  const reading = readWith(line, isWhole, before, [])
  return { spans: reading.spans, rest: line.slice(reading.length) }
}

function readWith(line: string, isWhole: boolean, before: string, tints: readonly Tint[]) {
  const spans: Span[] = []
  let at = 0
  let last = before
  while (at < line.length) {
    const [text = ''] = /^[^\\`*_~[!]+/.exec(line.slice(at)) ?? []
    if (text !== '') {
      spans.push({ text, tints })
      at += text.length
      last = text.at(-1) ?? ''
      continue
    }
    const rest = line.slice(at, at + LONGEST_DOUBT)
    const found = (CONSTRUCTS[rest.charAt(0)] ?? emphasis)(rest, last, tints)
    // Marks at the very end may still grow, or mean nothing because of what follows.
    const isOpen = found === 'wait' || (typeof found === 'object' && found.length === rest.length)
    if (isOpen && !isWhole && rest.length < LONGEST_DOUBT) break
    if (typeof found === 'string') {
      const [mark = ''] = /^(?:`+|\*+|_+|~+)|^./s.exec(rest) ?? []
      spans.push({ text: mark, tints })
      at += mark.length
      last = mark
    } else {
      spans.push(...found.spans)
      at += found.length
      last = line[at - 1] ?? ''
    }
  }
  return { spans, length: at }
}

const escaped: Construct = (text, _, tints) => {
  const next = text[1]
  if (next === undefined) return 'wait'
  return /[!-/:-@[-`{-~]/.test(next) ? { spans: [{ text: next, tints }], length: 2 } : 'no'
}

const codeSpan: Construct = (text, _, tints) => {
  const [run = ''] = /^`+/.exec(text) ?? []
  if (run === text) return 'wait'
  const end = new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`).exec(text.slice(run.length))
  if (!end) return 'wait'
  const inside = text.slice(run.length, run.length + end.index)
  const isSpaced = inside.startsWith(' ') && inside.endsWith(' ') && inside.trim() !== ''
  const code = isSpaced ? inside.slice(1, -1) : inside
  return { spans: [{ text: code, tints: [...tints, 'code'] }], length: run.length + end.index + run.length }
}

const emphasis: Construct = (text, before, tints) => {
  const mark = text[0] ?? ''
  const [run = ''] = new RegExp(`^[${mark}]+`).exec(text) ?? []
  if (run === text) return 'wait'
  const size = run.length
  if (size > 3 || (mark === '~' && size !== 2) || /\s/.test(text[size] ?? '') || /[\p{L}\p{N}]$/u.test(before))
    return 'no'
  const end = closing(text, mark, size)
  if (end === undefined) return 'wait'
  const kinds: Tint[] = mark === '~' ? ['strike'] : size === 1 ? ['italic'] : size === 2 ? ['bold'] : ['bold', 'italic']
  const inside = readWith(text.slice(size, end), true, ' ', [...tints, ...kinds])
  return { spans: inside.spans, length: end + size }
}

/** The index of the closing mark: not after a blank and not before a letter. */
function closing(text: string, mark: string, size: number): number | undefined {
  const runs = new RegExp(`(?<=[^\\s\\\\${mark}])[${mark}]{${size}}(?![${mark}])(?![\\p{L}\\p{N}])`, 'gu')
  runs.lastIndex = size
  for (let found = runs.exec(text); found; found = runs.exec(text)) {
    const code = text.slice(size, found.index).match(/`/g)?.length ?? 0
    if (code % 2 === 0) return found.index
  }
  return undefined
}

/** Shows the address, so that a link does not hide where it leads. */
const link: Construct = (text, _, tints) => {
  const found = /^\[([^\]\n]*)\]\(<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+"[^"]*")?\)/.exec(text)
  if (!found) return /^\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/.test(text) ? 'wait' : 'no'
  const [whole, words = '', address = ''] = found
  const inside = readWith(words, true, ' ', [...tints, 'link']).spans
  const isSame = words === address || words === ''
  const target: Span = { text: isSame ? address : ` (${address})`, tints: isSame ? [...tints, 'link'] : ['dim'] }
  return { spans: isSame ? [target] : [...inside, target], length: whole.length }
}

const image: Construct = (text, before, tints) => {
  if (text.length < 2) return 'wait'
  if (text[1] !== '[') return 'no'
  const found = link(text.slice(1), before, tints)
  if (typeof found === 'string') return found
  return { spans: [{ text: 'picture: ', tints: ['dim'] }, ...found.spans], length: found.length + 1 }
}

const CONSTRUCTS: Readonly<Record<string, Construct>> = { '\\': escaped, '`': codeSpan, '[': link, '!': image }

const MARKS: Partial<Record<Tint, string>> = { bold: '**', italic: '*', strike: '~~', code: '`' }

/** For terminals without colours: the text between its marks. */
export const markedText = ({ text, tints }: Span): string =>
  tints.reduceRight((drawn, tint) => `${MARKS[tint] ?? ''}${drawn}${MARKS[tint] ?? ''}`, text)
