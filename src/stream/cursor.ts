/** What a reader has: all events up to `seq`, and `offset` characters of the text after them. */
export interface Cursor {
  readonly seq: number
  readonly offset?: number
}

/** Reads `12` or `12.340`; undefined for anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match) return undefined
  const seq = Number(match[1])
  const offset = match[2] === undefined ? undefined : Number(match[2])
  if (!Number.isSafeInteger(seq) || (offset !== undefined && !Number.isSafeInteger(offset))) return undefined
  return offset === undefined ? { seq } : { seq, offset }
}

export const cursorId = (seq: number, offset: number): string => `${seq}.${offset}`
