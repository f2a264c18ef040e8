import { visible } from '../../../lib/visible.ts'

/** Invisible characters that hide nothing: emoji variants and joiners, no-break spaces. */
const HARMLESS = /(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d|[\u00a0\u202f\n\t]/gu

/** Makes text of a model or tool safe for a terminal; invisible characters are written as numbers. */
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

/** The same, with only characters of known width. */
export function shownText(text: string): string {
  return safeText(text)
    .replaceAll('\t', '    ')
    .replaceAll(/[\u00a0\u202f]/g, ' ')
    .replaceAll(/[\ufe0f\u200d]/g, '')
}

export const oneLine = (text: string): string => shownText(text.replaceAll(/\s+/g, ' ')).trim()
