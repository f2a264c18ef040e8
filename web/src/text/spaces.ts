// Only the spaces of markdown: `trim` would also take away characters that must be shown, like a byte order mark.
const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n'

export function trimStartSpaces(text: string): string {
  let start = 0
  while (isSpace(text[start])) start++
  return text.slice(start)
}

export function trimEndSpaces(text: string): string {
  let end = text.length
  while (isSpace(text[end - 1])) end--
  return text.slice(0, end)
}

export function trimSpaces(text: string): string {
  return trimEndSpaces(trimStartSpaces(text))
}

export function isBlank(text: string): boolean {
  return !/[^ \t\n]/.test(text)
}
