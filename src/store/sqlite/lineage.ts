import type { DatabaseSync } from 'node:sqlite'
import { MAX_SEQ } from './event-rows.ts'

/** Events `from` to `to` of a session that are part of another session's log. */
interface Segment {
  readonly num: number
  readonly from: number
  readonly to: number
}

interface Row {
  num: number
  parent: number | null
  parent_seq: number | null
}

export type Lineage = (num: number, upTo: number) => Segment[]

/** Walks up the fork tree, one step per fork. */
export function lineageOf(db: DatabaseSync): Lineage {
  const find = db.prepare('SELECT num, parent, parent_seq FROM sessions WHERE num = ?')
  return (num, upTo) => {
    const segments: Segment[] = []
    let row = find.get(num) as unknown as Row | undefined
    let to = Math.min(upTo, MAX_SEQ)
    while (row) {
      const start: number = row.parent_seq ?? 0
      if (to > start) segments.push({ num: row.num, from: start + 1, to })
      if (row.parent === null) break
      to = Math.min(to, start)
      row = find.get(row.parent) as unknown as Row | undefined
    }
    return segments.reverse()
  }
}
