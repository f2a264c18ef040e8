/** Which items of a conversation are drawn: from one to another, or up to the end while the reader follows it. */
export interface Part {
  /** key of the first one; without it so many that the end is filled */
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
/** More than this are never drawn: what is far away on the other side is taken out. */
export const MOST = 200

/** The place of the first and behind the last. */
export function boundsOf(part: Part, items: readonly Keyed[]): [start: number, end: number] {
  const place = (key: string | undefined): number =>
    key === undefined ? -1 : items.findIndex((one) => one.key === key)
  const last = place(part.to)
  const end = last < 0 ? items.length : last + 1
  const start = place(part.from)
  return [start < 0 ? Math.max(0, end - FIRST) : start, end]
}

export function grownUp(part: Part, items: readonly Keyed[]): Part {
  const [start, end] = boundsOf(part, items)
  const next = Math.max(0, start - STEP)
  return between(next, Math.min(end, next + MOST), items)
}

export function grownDown(part: Part, items: readonly Keyed[]): Part {
  const [start, end] = boundsOf(part, items)
  const next = Math.min(items.length, end + STEP)
  return between(Math.max(start, next - MOST), next, items)
}

/** One item and some around it. */
export const around = (place: number, items: readonly Keyed[]): Part =>
  between(Math.max(0, place - STEP / 2), Math.min(items.length, place + STEP), items)

function between(start: number, end: number, items: readonly Keyed[]): Part {
  const from = items[start]?.key
  const to = end >= items.length ? undefined : items[end - 1]?.key
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}
