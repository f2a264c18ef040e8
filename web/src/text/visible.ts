/** A stretch of text as it is, or a stretch of characters nobody can see, written as their numbers. */
export type Piece = string | { mark: string }

/** `exact` marks every space but the usual one; `prose` leaves the ones that good typography puts between words. */
export type Spaces = 'exact' | 'prose'

// The rule of src/lib/visible.ts: controls, direction marks, no width, no ink, unusual spaces, no meaning given.
const UNSEEN =
  '[[\\p{C}\\p{Default_Ignorable_Code_Point}\\p{Zl}\\p{Zp}\\p{Zs}\\u2800\\u2d7f\\ufffc' +
  '\\u{1107f}\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}]--[ \\n\\t]]'

const JOINING_SCRIPTS = ['Arab', 'Syrc', 'Nkoo', 'Mong', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda']
  .concat(['Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt'])
  .map((script) => `\\p{scx=${script}}`)
  .join('')
const LETTER = `[[\\p{L}\\p{M}]&&[${JOINING_SCRIPTS}]]`
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]'
const PICTURE = '\\p{Extended_Pictographic}'

// Characters without ink of their own that change how their neighbour is drawn, and stand where they belong.
const IN_PLACE = [
  '\\r(?=\\n)',
  // Signs of Arabic, Syriac and Kaithi that Unicode files under "format" although they are drawn.
  '[\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}]',
  `(?<=${LETTER})[\\u200c\\u200d](?=${LETTER})`,
  `(?<=${VIRAMA})[\\u200c\\u200d]`,
  `(?<=${PICTURE}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${PICTURE})`,
  `(?<=[[\\p{Emoji}${PICTURE}]--[0-9#*]])[\\ufe0e\\ufe0f]`,
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{scx=Han})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=[\\p{L}&&\\p{scx=Mong}])[\\u180b-\\u180f]',
  // The flags of England, Scotland and Wales: the only words ever written in tag characters.
  '\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}',
].join('|')

const RULE = {
  exact: new RegExp(`(${IN_PLACE})|${UNSEEN}`, 'gv'),
  prose: new RegExp(`(${IN_PLACE}|[\\u00a0\\u2007\\u2009\\u202f\\u3000])|${UNSEEN}`, 'gv'),
}
const ANY_UNSEEN = new RegExp(UNSEEN, 'v')

/** A text cut into what can be shown as it is and marks for what cannot be seen. */
export function visible(text: string, spaces: Spaces = 'exact'): Piece[] {
  if (!ANY_UNSEEN.test(text)) return text === '' ? [] : [text]
  const pieces: Piece[] = []
  let shown = 0
  for (const match of text.matchAll(RULE[spaces])) {
    if (match[1] !== undefined) continue
    const mark = `\\u{${(match[0].codePointAt(0) ?? 0).toString(16)}}`
    const last = pieces.at(-1)
    if (match.index > shown) pieces.push(text.slice(shown, match.index))
    if (match.index === shown && typeof last === 'object') last.mark += mark
    else pieces.push({ mark })
    shown = match.index + match[0].length
  }
  if (shown < text.length) pieces.push(text.slice(shown))
  return pieces
}

/** The same as one string, for titles, labels and anything else that is not an element. */
export function visibleText(text: string, spaces: Spaces = 'exact'): string {
  return visible(text, spaces)
    .map((piece) => (typeof piece === 'string' ? piece : piece.mark))
    .join('')
}

/** Whether some character of the text would be shown as a mark. */
export function hidesSomething(text: string): boolean {
  return visible(text).some((piece) => typeof piece === 'object')
}
