/** Pieces of at most `chars` characters, one more to keep a surrogate pair together. */
export function splitBySize(text: string, chars: number): string[] {
  const pieces: string[] = []
  for (let from = 0; from < text.length;) {
    const to = pairSafe(text, from + chars)
    pieces.push(text.slice(from, to))
    from = to
  }
  return pieces
}

/** `pieces` pieces of about equal length, fewer if the text is shorter. */
export function splitInto(text: string, pieces: number): string[] {
  if (pieces <= 1) return text === '' ? [] : [text]
  const wanted = Math.min(pieces, text.length)
  const split: string[] = []
  let from = 0
  for (let n = 1; n <= wanted; n++) {
    const to = pairSafe(text, Math.floor((n * text.length) / wanted))
    if (to > from) split.push(text.slice(from, to))
    from = to
  }
  return split
}

function pairSafe(text: string, at: number): number {
  return isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at)) ? at + 1 : at
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
