import { unescapeText } from './entities.ts'
import type { Align } from './markdown-tree.ts'
import { isBlank, trimEndSpaces, trimSpaces } from './spaces.ts'

// Readers of one line, without its indent. They look at each character once: no pattern here can backtrack.

export type Fence = { char: string; length: number; info: string }
export type Marker = { char: string; width: number; start?: number }

export function headingIn(text: string): { level: number; text: string } | undefined {
  const level = runLength(text, '#')
  if (level === 0 || level > 6 || !isBlank(text.slice(level, level + 1))) return undefined
  const content = trimSpaces(text.slice(level))
  let end = content.length
  while (content[end - 1] === '#') end--
  const closed = end < content.length && isBlank(content.slice(Math.max(0, end - 1), end))
  return { level, text: closed ? trimEndSpaces(content.slice(0, end)) : content }
}

export function fenceIn(text: string): Fence | undefined {
  const char = text[0] ?? ''
  if (char !== '`' && char !== '~') return undefined
  const length = runLength(text, char)
  const info = text.slice(length)
  if (length < 3 || (char === '`' && info.includes('`'))) return undefined
  return { char, length, info: unescapeText(trimSpaces(info)) }
}

export function closesFence(text: string, fence: Fence): boolean {
  const length = runLength(text, fence.char)
  return length >= fence.length && isBlank(text.slice(length))
}

export function isRule(text: string): boolean {
  const char = text[0] ?? ''
  if (!'-_*'.includes(char)) return false
  let count = 0
  for (const one of text) {
    if (one === char) count++
    else if (one !== ' ' && one !== '\t') return false
  }
  return count >= 3
}

/** The level of the heading that a line under a text makes of it. One dash alone is a list about to be written. */
export function underlineIn(text: string): number | undefined {
  const char = text[0] ?? ''
  if (char !== '=' && char !== '-') return undefined
  const length = runLength(text, char)
  if (length < 2 || !isBlank(text.slice(length))) return undefined
  return char === '=' ? 1 : 2
}

export function markerIn(text: string): Marker | undefined {
  const bullet = text[0] ?? ''
  const digits = runOfDigits(text)
  if (bullet !== '' && '-+*'.includes(bullet)) return isBlank(text.slice(1, 2)) ? { char: bullet, width: 1 } : undefined
  const char = text[digits] ?? ''
  if (digits === 0 || digits > 9 || (char !== '.' && char !== ')')) return undefined
  if (!isBlank(text.slice(digits + 1, digits + 2))) return undefined
  return { char, width: digits + 1, start: Number(text.slice(0, digits)) }
}

/** How the columns of a table are aligned, if the line is the one between its head and its rows. */
export function alignmentsIn(text: string): Align[] | undefined {
  if (!text.includes('|') || !/^[-:| \t]+$/.test(text)) return undefined
  const cells = cellsIn(text)
  if (cells.length === 0 || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined
  return cells.map((cell) => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'right'
    return cell.startsWith(':') ? 'left' : undefined
  })
}

/** The cells of a row; `\|` is a bar inside of one. */
export function cellsIn(row: string): string[] {
  const text = trimSpaces(row)
  const cells: string[] = []
  let cell = ''
  let from = text.startsWith('|') ? 1 : 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') {
      if (text[at + 1] === '|') {
        cell += text.slice(from, at)
        from = at + 1
      }
      at++
    } else if (text[at] === '|') {
      cells.push(trimSpaces(cell + text.slice(from, at)))
      cell = ''
      from = at + 1
    }
  }
  if (from < text.length || cell !== '') cells.push(trimSpaces(cell + text.slice(from)))
  return cells
}

function runLength(text: string, char: string): number {
  let length = 0
  while (text[length] === char) length++
  return length
}

function runOfDigits(text: string): number {
  let length = 0
  while (length < text.length && length < 11 && /[0-9]/.test(text[length] ?? '')) length++
  return length
}
