/** Replaces lone surrogates and NUL, which no text column can hold, by U+FFFD; the log keeps both in its JSON. */
export const cleanText = (text: string): string => {
  if (text.isWellFormed() && !text.includes('\0')) return text
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
