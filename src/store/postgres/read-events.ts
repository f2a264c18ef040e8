import type { StoredEvent } from '../../contract/event.ts'
import type { EventSlice, Range } from '../log.ts'
import { unpack } from '../pack-events.ts'
import type { Query } from './database.ts'

/** Higher than any event number. */
export const MAX_SEQ = 2 ** 31 - 2

interface Row {
  readonly seq: number
  readonly first: number
  readonly last: number
  /** null: there are more rows */
  readonly body: string | null
}

export type ReadEvents = ReturnType<typeof readEvents>

const within = (n: number): number => Math.max(0, Math.min(n, MAX_SEQ))

export function readEvents(query: Query) {
  return async (sessionId: string, range: Range, mostChars = Infinity): Promise<EventSlice> => {
    const { after = 0, upTo = Infinity, limit = Infinity } = range
    const rows = await query<Row>('SELECT * FROM read_events($1, $2, $3, $4, $5)', [
      sessionId,
      within(after),
      within(upTo),
      within(limit),
      Math.min(mostChars, Number.MAX_SAFE_INTEGER),
    ])
    const events: StoredEvent[] = []
    for (const { seq, first, last, body } of rows) {
      if (body === null) return { events, isLast: false }
      const all = unpack(body, sessionId, seq)
      for (let i = first - seq; i <= last - seq; i++) events.push(all[i] as StoredEvent)
    }
    return { events, isLast: true }
  }
}
