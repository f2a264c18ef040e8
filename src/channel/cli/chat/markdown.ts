import { columnsOf } from './columns.ts'
import { markedText, readInline } from './inline.ts'
import { plain, type Paint, type Tint } from './paint.ts'
import { shownText } from './safe-text.ts'
import { tableLines } from './table.ts'
import { createWrapper } from './wrap.ts'

export type MarkdownWriter = ReturnType<typeof createMarkdownWriter>

export interface MarkdownOptions {
  readonly width: () => number
  readonly paint: Paint
  readonly write: (text: string) => void
}

type Block =
  | { readonly kind: 'text'; readonly tints: readonly Tint[] }
  | { readonly kind: 'code'; readonly fence: string }
  | { readonly kind: 'table'; readonly rows: string[] }

/** The start of a line that may still turn out to be a heading, list, rule, quote, table or fence. */
const COULD_BE_MORE = /^(?:#{0,6}\s*$|[-*+_=~`\s]+$|\d{1,9}[.)]?\s*$|[>\s]+$|\||```|~~~)/

/** Writes markdown while it arrives, holding back only what is not clear yet. The text may be hostile. */
export function createMarkdownWriter({ width, paint, write }: MarkdownOptions) {
  const hasColours = paint !== plain
  const wrapper = createWrapper(width, write)
  /** the unwritten part of the current line */
  let line = ''
  let isLineStart = true
  let lastSign = ''
  let block: Block = { kind: 'text', tints: [] }
  let blanks = 0
  let hasWritten = false
  /** half of a line break or of a surrogate pair */
  let held = ''
  /** the last character; the next piece may begin with a mark that changes it */
  let previous = ''

  /** Several empty lines become one. */
  function gap(): void {
    if (blanks > 0 && hasWritten) write('\n')
    blanks = 0
    hasWritten = true
  }

  function start(first: string, others: string, tint?: Tint): void {
    gap()
    isLineStart = false
    lastSign = ''
    wrapper.begin(first, others, (text) => (tint ? paint(tint, text) : text))
  }

  function inline(isWhole: boolean): void {
    const tints = block.kind === 'text' ? block.tints : []
    const { spans, rest } = readInline(line, isWhole, lastSign)
    for (const span of spans) {
      const draw = (text: string): string =>
        [...tints, ...span.tints].reduceRight((drawn, tint) => paint(tint, drawn), text)
      wrapper.add(hasColours ? span.text : markedText(span), draw)
      lastSign = span.text.at(-1) ?? lastSign
    }
    line = rest
  }

  function endLine(): void {
    wrapper.newLine()
    isLineStart = true
    line = ''
    if (block.kind === 'text') block = { kind: 'text', tints: [] }
  }

  /** False if the kind of line is not known yet, or nothing of it is left to write. */
  function open(isWhole: boolean): boolean {
    if (!isWhole && COULD_BE_MORE.test(line.trimStart())) return false
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(line)
    if (fence && !line.includes('`', fence[0].length)) {
      block = { kind: 'code', fence: fence[1] ?? '' }
      gap()
      line = ''
      return false
    }
    if (/^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/.test(line)) {
      start('─'.repeat(Math.min(width(), 40)), '', 'dim')
      line = ''
      return true
    }
    if (/^\s*\|/.test(line)) {
      block = { kind: 'table', rows: [line] }
      line = ''
      return false
    }
    return openText()
  }

  function openText(): boolean {
    const heading = /^\s{0,3}(#{1,6})\s+/.exec(line)
    if (heading) {
      start(hasColours ? '' : `${heading[1]} `, '')
      block = { kind: 'text', tints: ['heading'] }
      line = line.slice(heading[0].length)
      return true
    }
    const quote = /^\s{0,3}((?:>\s?)+)/.exec(line)
    if (quote) {
      const bars = '│ '.repeat(quote[1]?.match(/>/g)?.length ?? 1)
      start(bars, bars, 'dim')
      line = line.slice(quote[0].length)
      return true
    }
    const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+/.exec(line)
    if (item) {
      const [whole, indent = '', mark = ''] = item
      const bullet = `${indent}${/\d/.test(mark) ? mark : '•'} `
      start(bullet, ' '.repeat(columnsOf(bullet)))
      line = line.slice(whole.length)
      return true
    }
    const [indent = ''] = /^ */.exec(line) ?? []
    start(indent, indent)
    line = line.slice(indent.length)
    return true
  }

  function lineIsWhole(isEnd: boolean): void {
    if (block.kind === 'code') return codeLine()
    if (block.kind === 'table') {
      if (/^\s*\|/.test(line)) {
        block.rows.push(line)
        line = ''
        return
      }
      table(block.rows)
    }
    if (isLineStart) {
      if (line.trim() === '') {
        blanks += isEnd ? 0 : 1
        line = ''
        return
      }
      if (!open(true)) return
    }
    inline(true)
    endLine()
  }

  function table(rows: readonly string[]): void {
    block = { kind: 'text', tints: [] }
    gap()
    for (const row of tableLines(rows, width(), paint)) write(`${row}\n`)
  }

  function codeLine(): void {
    if (block.kind !== 'code') return
    const isFence = new RegExp(`^\\s{0,3}${block.fence[0]}{${block.fence.length},}\\s*$`).test(line)
    if (isFence && isLineStart) {
      block = { kind: 'text', tints: [] }
      line = ''
      return
    }
    codeSoFar()
    wrapper.newLine()
    isLineStart = true
  }

  function codeSoFar(): void {
    if (isLineStart) wrapper.begin('  ', '  ')
    isLineStart = false
    if (line !== '') wrapper.add(line, (text) => paint('code', text))
    line = ''
  }

  function partOfLine(): void {
    if (block.kind === 'table') return
    if (block.kind === 'code') {
      if (!(isLineStart && /^(?:`*|~*)$/.test(line.trim()))) codeSoFar()
      return
    }
    if (isLineStart && (line === '' || !open(false))) return
    inline(false)
  }

  return {
    /** The text may end anywhere, even inside a mark or a word. */
    add(text: string): void {
      const whole = held + text
      held = /[\r\ud800-\udbff]$/.exec(whole)?.[0] ?? ''
      const safe = shownText(previous + whole.slice(0, whole.length - held.length)).slice(previous.length)
      previous = /.$/su.exec(safe)?.[0] ?? previous
      const lines = safe.split('\n')
      lines.forEach((part, at) => {
        line += part
        if (at < lines.length - 1) lineIsWhole(false)
        else partOfLine()
      })
    },
    /** Writes what was held back and ends the line. */
    end(): void {
      line += shownText(held)
      held = ''
      if (line !== '' || !isLineStart || block.kind === 'table') lineIsWhole(true)
      if (block.kind === 'table') table(block.rows)
      block = { kind: 'text', tints: [] }
      blanks = 0
    },
  }
}
