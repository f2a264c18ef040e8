/**
 * Characters that cannot be seen or change where text is shown: controls, direction marks, zero-width and unusual
 * spaces, unassigned code points, and some blank ones by number.
 */
const UNSEEN =
  /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\u2d7f\ufffc\u{1107f}\u{13441}\u{13442}\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu
const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Hebrew', 'Arabic'] as const
const HAS = Object.fromEntries(SCRIPTS.map((name) => [name, new RegExp(`\\p{Script=${name}}`, 'u')]))
const WORDS = /[\p{L}\p{N}_]+/gu

/** Writes every invisible character as its number, such as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (one) => (one === '\n' ? '\\n' : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`))
}

/** Shown for a space that could be overlooked. */
const SPACE = '\u2423'

/** For text to decide about: also shows leading, trailing and repeated spaces. */
export function visibleSpaces(text: string): string {
  return visible(text)
    .replaceAll(SPACE, '\\u{2423}')
    .replaceAll(/ {2,}|^ | $/g, (spaces) => SPACE.repeat(spaces.length))
}

/** Line breaks, tabs and emoji modifiers, which hide nothing. */
const HARMLESS = /[\n\t]|(?<=\p{Emoji})\ufe0f|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d/u

/** For text to read: keeps its lines. */
export function visibleText(text: string): string {
  const parts = text.replaceAll('\r\n', '\n').split(new RegExp(`(${HARMLESS.source})`, 'u'))
  return parts.map((part, at) => (at % 2 === 0 ? visible(part) : part)).join('')
}

/** Warnings for somebody who reads a text before deciding. */
export function textWarnings(text: string): string[] {
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

/** More than an indent: they may push text out of sight. */
const MANY_SPACES = 20

function longestRun(text: string): number {
  return (text.match(/ {2,}/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
}
