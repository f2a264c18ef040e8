/**
 * What a person cannot see, or is shown in another place than it stands: controls, marks that turn the direction,
 * characters without width or ink, spaces that are none of the usual, code points nobody has given a meaning. Those
 * with a number are blank for no reason that Unicode has a word for: fillers, joiners, a note without a head.
 */
const UNSEEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Hebrew', 'Arabic'] as const
const HAS = Object.fromEntries(SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]))
const WORDS = /[\p{L}\p{N}_]+/gu

/** A text with nothing hidden in it: each character that cannot be seen is written as its number, `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (one) => (one === '\n' ? '\\n' : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`))
}

/** What a space is shown as where it could be overlooked. */
const SPACE = '\u2423'

/** The same for a text to decide about: spaces in a row, at its beginning and at its end are shown too. */
export function visibleSpaces(text: string): string {
  return visible(text)
    .replaceAll(SPACE, '\\u{2423}')
    .replaceAll(/ {2,}|^ | $/g, (spaces) => SPACE.repeat(spaces.length))
}

/** Lines and tabs, and what only chooses how the sign before it looks: they hide nothing. */
const HARMLESS = /[\n\t]|(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d/u

/** The same for a text to read rather than to decide about: it keeps its lines. */
export function visibleText(text: string): string {
  const parts = text.replaceAll('\r\n', '\n').split(new RegExp(`(${HARMLESS.source})`, 'u'))
  return parts.map((part, at) => (at % 2 === 0 ? visible(part) : part)).join('')
}

/** What somebody who reads a text before deciding should be told about it. */
export function oddities(text: string): string[] {
  const hidden = [...new Set(text.replaceAll(/[\n\t]/g, '').match(UNSEEN))].map(visible)
  const mixed = (text.match(WORDS) ?? []).flatMap((word) => {
    const scripts = SCRIPTS.filter((name) => HAS[name]?.test(word))
    return scripts.length > 1 ? [`"${visible(word)}" mixes letters of ${scripts.join(' and ')}`] : []
  })
  return [
    ...(hidden.length > 0 ? [`there are characters that cannot be seen: ${hidden.slice(0, 10).join(' ')}`] : []),
    ...new Set(mixed.slice(0, 10)),
    ...(longestRun(text) >= MANY_SPACES ? [`there are ${longestRun(text)} spaces in a row: look at what follows`] : []),
  ]
}

/** More than an indent: they may move what follows out of sight. */
const MANY_SPACES = 20

function longestRun(text: string): number {
  return (text.match(/ {2,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
}
