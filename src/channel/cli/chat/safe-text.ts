import { visible } from '../../../lib/visible.ts'

/** Marks that only choose how the sign before them looks, and spaces that do not break: they hide nothing. */
const HARMLESS = /(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d|[\u00a0\u202f\n\t]/gu

/** A text of a model or a tool with nothing in it that a terminal obeys; what cannot be seen is written as its number. */
export function safeText(given: string): string {
  const text = given.replaceAll('\r\n', '\n')
  let safe = ''
  let from = 0
  for (const found of text.matchAll(HARMLESS)) {
    safe += visible(text.slice(from, found.index)) + found[0]
    from = found.index + found[0].length
  }
  return safe + visible(text.slice(from))
}

/** The same for a terminal that we lay out: every sign has a width that is known. */
export function shownText(text: string): string {
  return safeText(text)
    .replaceAll('\t', '    ')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/[\ufe0f\u200d]/g, '')
}

/** On one line. */
export const oneLine = (text: string): string => shownText(text.replaceAll(/\s+/g, ' ')).trim()
