/** A list of rows of one height, of which one may be unfolded and is higher by `extra`. */
export interface VirtualRows {
  readonly total: number
  top(index: number): number
  /** the rows from `first` up to `end` can be seen */
  seen(scrollTop: number, height: number): { readonly first: number; readonly end: number }
  /** where to scroll so that a row is fully visible */
  reveal(index: number, scrollTop: number, height: number): number
}

/** Rows drawn above and below the visible ones, so that fast scrolling shows no gaps. */
const BEYOND = 8

export function virtualRows(count: number, rowHeight: number, open: number, extra: number): VirtualRows {
  const isOpen = open >= 0 && open < count
  const top = (index: number): number => index * rowHeight + (isOpen && index > open ? extra : 0)
  const at = (y: number): number => {
    const below = isOpen ? (open + 1) * rowHeight : Infinity
    if (y < below) return Math.floor(y / rowHeight)
    return y < below + extra ? open : Math.floor((y - extra) / rowHeight)
  }
  return {
    total: top(count),
    top,
    seen: (scrollTop, height) => ({
      first: Math.max(0, at(Math.max(0, scrollTop)) - BEYOND),
      end: Math.min(count, at(Math.max(0, scrollTop + height)) + 1 + BEYOND),
    }),
    reveal(index, scrollTop, height) {
      const bottom = top(index) + rowHeight + (index === open ? extra : 0)
      return Math.max(0, Math.min(top(index), Math.max(scrollTop, bottom - height)))
    },
  }
}
