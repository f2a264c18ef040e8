/** Which items of a conversation are drawn: from one to another, or up to the end while the reader follows it. */
export interface DrawnRange {
  /** key of the first one; without it, enough to fill the screen */
  readonly from?: string
  /** key of the last one; without it the end */
  readonly to?: string
}

interface Keyed {
  readonly key: string
}

/** So many are drawn when a conversation is opened, and so many more with each step. */
export const FIRST = 24
export const STEP = 40
/** At most this many are drawn; those furthest from the reader are removed. */
export const MOST = 200

/** The indexes of the first and behind the last. */
export function boundsOf(range: DrawnRange, items: readonly Keyed[]): [start: number, end: number] {
  const place = (key: string | undefined): number =>
    key === undefined ? -1 : items.findIndex((one) => one.key === key)
  const last = place(range.to)
  const end = last < 0 ? items.length : last + 1
  const start = place(range.from)
  return [start < 0 ? Math.max(0, end - FIRST) : start, end]
}

export function grownUp(range: DrawnRange, items: readonly Keyed[]): DrawnRange {
  const [start, end] = boundsOf(range, items)
  const next = Math.max(0, start - STEP)
  return between(next, Math.min(end, next + MOST), items)
}

export function grownDown(range: DrawnRange, items: readonly Keyed[]): DrawnRange {
  const [start, end] = boundsOf(range, items)
  const next = Math.min(items.length, end + STEP)
  return between(Math.max(start, next - MOST), next, items)
}

/** One item and some around it. */
export const around = (place: number, items: readonly Keyed[]): DrawnRange =>
  between(Math.max(0, place - STEP / 2), Math.min(items.length, place + STEP), items)

function between(start: number, end: number, items: readonly Keyed[]): DrawnRange {
  const from = items[start]?.key
  const to = end >= items.length ? undefined : items[end - 1]?.key
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
