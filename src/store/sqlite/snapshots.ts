import type { DatabaseSync } from 'node:sqlite'
import type { ListedSnapshot, Snapshot } from '../log.ts'
import { eventKey, seqOfKey } from './event-rows.ts'
import type { Lineage } from './lineage.ts'

interface Row {
  key: number
  version: number
  body: string
}

export function snapshotsIn(db: DatabaseSync, lineage: Lineage) {
  const insert = db.prepare('INSERT OR REPLACE INTO snapshots (key, version, body) VALUES (?, ?, ?)')
  const last = db.prepare(
    'SELECT key, version, body FROM snapshots WHERE key >= ? AND key <= ? AND version = ? ORDER BY key DESC LIMIT 1',
  )
  const some = db.prepare('SELECT key, version, body FROM snapshots WHERE key > ? ORDER BY key LIMIT ?')
  const session = db.prepare('SELECT id, deleted FROM sessions WHERE num = ?')
  const forks = db.prepare('SELECT num FROM sessions WHERE parent = ? AND parent_seq >= ? ORDER BY num')

  /** A session that can be read up to this number: its own or, if that is deleted, a living fork. */
  function readable(num: number, seq: number): string | undefined {
    const row = session.get(num) as { id: string; deleted: number } | undefined
    if (row?.deleted === 0) return row.id
    for (const fork of forks.all(num, seq) as { num: number }[]) {
      const found = readable(fork.num, seq)
      if (found !== undefined) return found
    }
    return undefined
  }

  return {
    put: (num: number, { seq, version, body }: Snapshot): void => void insert.run(eventKey(num, seq), version, body),
    find(num: number, version: number, upTo: number): Snapshot | undefined {
      for (const segment of lineage(num, upTo).reverse()) {
        const range = [eventKey(segment.num, segment.from), eventKey(segment.num, segment.to)]
        const row = last.get(...range, version) as Row | undefined
        if (row) return { seq: seqOfKey(row.key), version, body: row.body }
      }
      return undefined
    },
    list(after: number, limit: number): ListedSnapshot[] {
      return (some.all(after, limit) as unknown as Row[]).map(({ key, version, body }) => {
        const seq = seqOfKey(key)
        return { place: key, sessionId: readable((key - seq) / eventKey(1, 0), seq), seq, version, body }
      })
    },
  }
}
