import type { Chances } from './chances.ts'

/** What is not seen, or taken away by those who tidy up. */
export const UNSEEN = [' ', '\t', '\n', '\r\n', '\0', '\u00a0', '\u00ad', '\u200b', '\u200d', '\ufeff'] as const

/** Letters that look like others. */
const ALIKE: Readonly<Record<string, string>> = {
  a: 'а',
  A: 'Α',
  B: 'В',
  c: 'с',
  e: 'е',
  H: 'Н',
  o: 'о',
  O: 'О',
  p: 'р',
  x: 'х',
  y: 'у',
  '0': '０',
  '1': '１',
  '5': '٥',
  '7': '７',
  '9': '९',
  '=': '＝',
  '+': '＋',
  '/': '∕',
  ',': '‚',
  v: 'ν',
}

/** One bit of its bytes, as a header has them. */
export function flip({ below }: Chances, text: string): string {
  const bytes = Buffer.from(text)
  const at = below(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
  return bytes.toString('latin1')
}

export const cut = ({ below }: Chances, text: string): string => text.slice(0, below(text.length))

export function within({ below }: Chances, text: string, what: string): string {
  const at = below(text.length + 1)
  return `${text.slice(0, at)}${what}${text.slice(at)}`
}

/** One letter that has another case. */
export function otherCase(any: Chances, text: string): string {
  return changed(any, text, /[A-Za-z]/g, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

export const lookalike = (any: Chances, text: string): string =>
  changed(any, text, /[aABceHoOpxy01579=+/,v]/g, (letter) => ALIKE[letter] ?? letter)

/** One of those that a pattern finds; the text as it is if there is none. */
function changed({ below }: Chances, text: string, pattern: RegExp, to: (found: string) => string): string {
  const found = [...text.matchAll(pattern)]
  const chosen = found[below(found.length)]
  if (!chosen) return text
  return `${text.slice(0, chosen.index)}${to(chosen[0])}${text.slice(chosen.index + chosen[0].length)}`
}
