/** Letters that some scripts and emoji need; they may stand beside what they change, but in a row they could spell something. */
const JOINERS = String.raw`\u061c\u180b-\u180d\u200c-\u200f\ufe00-\ufe0f`
const ALONE = String.raw`(?![\t\n])\p{Cc}|(?![${JOINERS}])\p{Default_Ignorable_Code_Point}`

/**
 * Characters that a reviewer cannot see but a model reads: controls, other line ends, blank letters, marks that turn the
 * direction of text around, invisible letters.
 */
export const UNSEEN = new RegExp(String.raw`${ALONE}|[\p{Zl}\p{Zp}\u2800]|[${JOINERS}]{3}`, 'u')

const LINE_ENDS = /\r\n?|[\f\v\u0085\p{Zl}\p{Zp}]/gu
const INVISIBLE = new RegExp(`${ALONE}|\\p{Surrogate}`, 'gu')
const ROWS = new RegExp(`[${JOINERS}]{3,}`, 'gu')

/** The text without them, and with one kind of line end. */
export const withoutUnseen = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replaceAll('\u2800', ' ').replace(INVISIBLE, '').replace(ROWS, '')
