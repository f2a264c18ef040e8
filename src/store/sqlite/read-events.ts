import type { DatabaseSync } from 'node:sqlite'
import type { StoredEvent } from '../../contract/event.ts'
import type { EventSlice, Range } from '../log.ts'
import { unpack } from '../pack-events.ts'
import { eventKey, seqOfKey } from './event-rows.ts'
import type { Lineage } from './lineage.ts'

interface Row {
  key: number
  n: number
  body: string
}

export type ReadEvents = ReturnType<typeof readEvents>

export function readEvents(db: DatabaseSync, lineage: Lineage) {
  const rows = db.prepare('SELECT key, n, body FROM events WHERE key >= ? AND key <= ? ORDER BY key')
  const before = db.prepare('SELECT key FROM events WHERE key >= ? AND key <= ? ORDER BY key DESC LIMIT 1')

  return (sessionId: string, num: number, range: Range, mostChars = Infinity): EventSlice => {
    const after = range.after ?? 0
    const limit = range.limit ?? Infinity
    let chars = 0
    const found: StoredEvent[] = []
    for (const segment of lineage(num, range.upTo ?? Infinity)) {
      if (segment.to <= after) continue
      if (found.length >= limit || chars >= mostChars) return { events: found, isLast: false }
      const first = eventKey(segment.num, 0)
      const last = eventKey(segment.num, segment.to)
      // The row that holds event `after + 1` may begin earlier, because a row holds several.
      const wanted = eventKey(segment.num, Math.max(after + 1, segment.from))
      const start = (before.get(first, Math.min(wanted, last)) as { key: number } | undefined)?.key ?? wanted
      for (const row of rows.iterate(start, last) as Iterable<unknown> as Iterable<Row>) {
        const seq = seqOfKey(row.key)
        if (seq + row.n - 1 <= after) continue
        if (found.length >= limit || chars >= mostChars) return { events: found, isLast: false }
        chars += row.body.length
        const events = unpack(row.body, sessionId, seq)
        if (seq > after && seq + row.n - 1 <= segment.to && found.length + row.n <= limit) {
          for (const event of events) found.push(event)
          continue
        }
        for (const event of events) {
          if (event.seq <= after || event.seq > segment.to) continue
          if (found.length >= limit) return { events: found, isLast: false }
          found.push(event)
        }
      }
    }
    return { events: found, isLast: true }
  }
}

/** The number of a session's last event, own or inherited. */
export function headOf(db: DatabaseSync) {
  const last = db.prepare('SELECT key, n FROM events WHERE key >= ? AND key < ? ORDER BY key DESC LIMIT 1')
  return (num: number, parentSeq: number): number => {
    const row = last.get(eventKey(num, 0), eventKey(num + 1, 0)) as { key: number; n: number } | undefined
    return row ? seqOfKey(row.key) + row.n - 1 : parentSeq
  }
}
