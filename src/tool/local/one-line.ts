/** A file name as it can stand in a list: one that would break the line, and so forge others, is quoted. */
export function oneLine(name: string): string {
  return /[\p{Cc}\u2028\u2029]/u.test(name) ? JSON.stringify(name) : name
}
