/** An answer is cut into lines of a few hundred bytes; one that never ends must not fill the memory. */
const LONGEST_LINE = 8_000_000

/** Puts lines together from bytes, wherever they were cut: in the middle of a line or of a character. */
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
    /** the lines that are complete now */
    push: (bytes: Uint8Array): string[] => take(decoder.decode(bytes, { stream: true })),
    /** what came after the last line break */
    end: (): string[] => [...take(decoder.decode()), begun.join('')],
  }
}
