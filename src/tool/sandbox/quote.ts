/** A word for a shell. */
export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** A shell that reads no file of anybody's home: with a socket as stdin, as here, bash would by itself. */
export const BASH = ['bash', '--noprofile', '--norc', '-c']
