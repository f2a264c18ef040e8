const LINE_CHARS = 500

export type LogRing = ReturnType<typeof createLogRing>

/** Keeps the last lines of a text that comes in pieces. */
export function createLogRing(most: number) {
  const kept: string[] = []
  let open = ''
  return {
    add(piece: string): void {
      // Only what can be kept is cut into lines.
      const parts = (open + piece.slice(-most * LINE_CHARS)).split('\n')
      open = (parts.pop() ?? '').slice(0, LINE_CHARS)
      for (const line of parts.slice(-most)) kept.push(line.slice(0, LINE_CHARS))
      kept.splice(0, kept.length - most)
    },
    lines: (): readonly string[] => (open === '' ? [...kept] : [...kept, open]),
  }
}
