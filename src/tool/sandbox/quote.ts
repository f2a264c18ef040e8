/** Quotes a word for a shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** Reads no startup files, which bash otherwise does if stdin is a socket, as here. */
export const BASH = ['bash', '--noprofile', '--norc', '-c']
