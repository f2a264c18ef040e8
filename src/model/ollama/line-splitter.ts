/** Lines have a few hundred bytes; an endless one must not fill the memory. */
const LONGEST_LINE = 8_000_000

/** Splits bytes into lines, wherever the chunks were cut. */
export function lineSplitter(longest = LONGEST_LINE) {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let length = 0

  function take(text: string): string[] {
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = begun.join('') + lines[0]
      begun = []
      length = 0
    }
    length += rest.length
    if (length > longest) throw new Error(`a line of more than ${longest} characters came`)
    if (rest !== '') begun.push(rest)
    return lines
  }

  return {
    /** the complete lines */
    push: (bytes: Uint8Array): string[] => take(decoder.decode(bytes, { stream: true })),
    /** the rest after the last line break */
    end: (): string[] => [...take(decoder.decode()), begun.join('')],
  }
}
