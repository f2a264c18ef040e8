export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Maps times to an axis from 0 to 1 on which long idle times are shortened. */
export interface TimeAxis {
  readonly breaks: readonly (Stretch & { readonly start: number; readonly end: number })[]
  place(at: number): number
}

/** Idle time is shortened when it is longer than half of the busy time, and than this. */
const SHORTEST_BREAK_MS = 500
/** The width of a shortened idle time, as a share of what is drawn. */
const BREAK_WIDTH = 0.2

/** `busy`: stretches in which something happens, in any order, perhaps at the same time. */
export function timeAxis({ from, to }: Stretch, busy: readonly Stretch[]): TimeAxis {
  const gaps = without({ from, to }, busy)
  const idle = sum(gaps)
  const longest = Math.max(SHORTEST_BREAK_MS, (to - from - idle) / 2)
  const long = gaps.filter((gap) => gap.to - gap.from > longest)
  const drawn = to - from - sum(long)
  const width = Math.max(1, drawn * BREAK_WIDTH)
  const whole = drawn + long.length * width || 1

  const pieces: (Stretch & { start: number; end: number; isBreak: boolean })[] = []
  const add = (stretch: Stretch, size: number, isBreak: boolean): void => {
    const start = pieces.at(-1)?.end ?? 0
    pieces.push({ ...stretch, start, end: start + size / whole, isBreak })
  }
  let at = from
  for (const gap of long) {
    add({ from: at, to: gap.from }, gap.from - at, false)
    add(gap, width, true)
    at = gap.to
  }
  add({ from: at, to }, to - at, false)

  return {
    breaks: pieces.filter(({ isBreak }) => isBreak),
    place(moment) {
      const piece = pieces.find((one) => moment <= one.to) ?? pieces.at(-1)
      if (!piece || piece.to === piece.from) return piece?.start ?? 0
      const share = (moment - piece.from) / (piece.to - piece.from)
      return piece.start + Math.min(1, Math.max(0, share)) * (piece.end - piece.start)
    },
  }
}

/** What is left of a stretch when others are taken out of it. */
export function without({ from, to }: Stretch, holes: readonly Stretch[]): Stretch[] {
  const gaps: Stretch[] = []
  let at = from
  for (const one of holes.toSorted((a, b) => a.from - b.from)) {
    if (one.from > at) gaps.push({ from: at, to: Math.min(one.from, to) })
    at = Math.max(at, one.to)
    if (at >= to) return gaps
  }
  if (at < to) gaps.push({ from: at, to })
  return gaps
}

const sum = (stretches: readonly Stretch[]): number => stretches.reduce((all, { from, to }) => all + to - from, 0)
