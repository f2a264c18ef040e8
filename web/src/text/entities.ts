// The names people and models write, each followed by its character; any other stays as it stands.
const NAMES = new Map(
  (
    'amp& lt< gt> quot" apos\' nbsp\u00a0 ensp\u2002 emsp\u2003 thinsp\u2009 shy\u00ad zwj\u200d zwnj\u200c ' +
    'lrm\u200e rlm\u200f Tab\t NewLine\n colon: sol/ bsol\\ lpar( rpar) lbrack[ rbrack] num# vert| ast* ' +
    'lowbar_ grave` copy© reg® trade™ deg° plusmn± middot· bull• hellip… ndash– mdash— lsquo‘ rsquo’ ldquo“ ' +
    'rdquo” laquo« raquo» times× divide÷ minus− ne≠ le≤ ge≥ asymp≈ infin∞ larr← uarr↑ rarr→ darr↓ harr↔ rArr⇒ ' +
    'euro€ pound£ yen¥ cent¢ sect§ para¶ microµ frac12½ check✓ cross✗'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
)

const ENTITY = /&(?:#[xX]([0-9a-fA-F]{1,6})|#([0-9]{1,7})|([a-zA-Z][a-zA-Z0-9]{1,31}));/y

const ESCAPED = /\\([!-/:-@[-`{-~])|&(?:#[xX][0-9a-fA-F]{1,6}|#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});/g

/** The character an entity stands for, and where it ends; nothing if there is none at this place. */
export function entityAt(text: string, at: number): { text: string; end: number } | undefined {
  ENTITY.lastIndex = at
  const match = ENTITY.exec(text)
  if (match === null) return undefined
  const [whole, hex, decimal, name] = match
  const meant =
    name === undefined ? fromNumber(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)) : NAMES.get(name)
  return meant === undefined ? undefined : { text: meant, end: at + whole.length }
}

/** The text of a link's target or title or of a fence: backslashes and entities resolved, nothing else. */
export function unescapeText(text: string): string {
  return text.replaceAll(ESCAPED, (whole, escaped?: string) => escaped ?? entityAt(whole, 0)?.text ?? whole)
}

function fromNumber(code: number): string {
  const possible = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return possible ? String.fromCodePoint(code) : '\ufffd'
}
