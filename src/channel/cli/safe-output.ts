/** Control characters except line ends and tabs, and marks that change the direction of text. */
const OBEYED = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (one: string): string => (one.codePointAt(0) ?? 0).toString(16)

/** The last safeguard for everything that is printed. */
export const safeOutput = (text: string): string => text.replace(OBEYED, (one) => `\\u{${number(one)}}`)

/** The same with escapes that JSON knows. */
export const safeJson = (text: string): string => text.replace(OBEYED, (one) => `\\u${number(one).padStart(4, '0')}`)
