/** What a terminal obeys, and marks that turn the direction; lines and tabs are what they are. */
const OBEYED = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

const number = (one: string): string => (one.codePointAt(0) ?? 0).toString(16)

/** The last net below everything that is printed: whoever wrote it, nothing in it commands the terminal. */
export const safeOutput = (text: string): string => text.replace(OBEYED, (one) => `\\u{${number(one)}}`)

/** The same for JSON, which stays what it is to a program. */
export const safeJson = (text: string): string => text.replace(OBEYED, (one) => `\\u${number(one).padStart(4, '0')}`)
