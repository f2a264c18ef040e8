const LINE_CHARS = 500

/** The last lines of a text that comes in pieces; never more than it was made for, whatever comes. */
export interface LogRing {
  add(piece: string): void
  lines(): readonly string[]
}

export function createLogRing(most: number): LogRing {
  const kept: string[] = []
  let open = ''
  return {
    add(piece) {
      // Of a flood only the end can be kept; there is no use in cutting all of it into lines.
      const parts = (open + piece.slice(-most * LINE_CHARS)).split('\n')
      open = (parts.pop() ?? '').slice(0, LINE_CHARS)
      for (const line of parts.slice(-most)) kept.push(line.slice(0, LINE_CHARS))
      kept.splice(0, kept.length - most)
    },
    lines: () => (open === '' ? [...kept] : [...kept, open]),
  }
}
