import type { DatabaseSync } from 'node:sqlite'
import { eventKey, seqOfKey, unpack } from './event-rows.ts'

/** The tool of a call that starts: what asked for it stands in the log shortly before. */
export function toolOfCall(db: DatabaseSync) {
  const backwards = db.prepare('SELECT key, body FROM events WHERE key >= ? AND key <= ? ORDER BY key DESC')
  return (session: number, upTo: number, callId: string): string => {
    const rows = backwards.iterate(eventKey(session, 0), eventKey(session, upTo))
    for (const { key, body } of rows as Iterable<unknown> as Iterable<{ key: number; body: string }>) {
      for (const event of unpack(body, '', seqOfKey(key)))
        if (event.type === 'tool.call' && event.data.callId === callId) return event.data.name
    }
    throw new Error(`the call ${callId} was started and never made`)
  }
}
