import type { Input, InputBody } from '../../contract/input.ts'
import { Problem } from '../../contract/problem.ts'
import type { InboxStore } from '../inbox.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'

interface Row {
  id: string
  key: string
  at: number
  body: string
  seen: number | null
}

/** Inputs are ordered by row id, not by their own ids, because a clock can be set back. */
export function inboxStore({ db, group, owned, claims, blobs, rowOf, reading, living }: Base): InboxStore {
  const insert = db.prepare('INSERT INTO inputs (id, session, key, at, body) VALUES (?, ?, ?, ?, ?)')
  const sameKey = db.prepare('SELECT id FROM inputs WHERE session = ? AND key = ?')
  const counted = db.prepare('SELECT count(*) AS n FROM inputs WHERE session = ?')
  const firstOf = db.prepare('SELECT 1 FROM inputs WHERE session = ? LIMIT 1')
  const openRound = db.prepare(`SELECT 1 FROM rounds WHERE key >= ? AND key < ? AND state <> 'ended' LIMIT 1`)
  const pending = db.prepare('SELECT id, key, at, body, seen FROM inputs WHERE session = ? ORDER BY rowid')
  // Few messages wait at any time, so this needs no index.
  const message = db.prepare(
    `SELECT i.id, i.key, i.at, i.body, i.seen, s.id AS session_id FROM inputs i JOIN sessions s ON s.num = i.session
     WHERE i.body ->> '$.kind' = 'message' AND i.body ->> '$.requestId' = ?`,
  )

  const isBusy = (num: number): boolean =>
    firstOf.get(num) !== undefined || openRound.get(eventKey(num, 0), eventKey(num + 1, 0)) !== undefined

  return {
    putInput(input, { claim, blobs: files = [], most = Infinity, ifIdle = false } = {}) {
      return group.run(() => {
        const taken = claim && claims.find(claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const row = living(input.sessionId)
        if (!row) throw new Problem('NOT_FOUND', `There is no session ${input.sessionId}.`)
        const { id, key, at, body } = input
        const waiting = sameKey.get(row.num, key) as { id: string } | undefined
        if (waiting) return { kind: 'waits', id: waiting.id } as const
        if (ifIdle && isBusy(row.num)) return 'busy' as const
        if (most !== Infinity && (counted.get(row.num) as { n: number }).n >= most) return 'full' as const
        insert.run(id, row.num, key, at, JSON.stringify(body))
        blobs.put(files)
        if (claim) claims.put(claim, row.num, at)
        return 'stored' as const
      })
    },
    pendingInputs(sessionId) {
      return reading(() => {
        const num = owned.get(sessionId)?.num ?? rowOf(sessionId)?.num
        const rows = num === undefined ? [] : (pending.all(num) as unknown as Row[])
        return rows.map((row) => inputOf(row, sessionId))
      })
    },
    // No other process uses the file.
    unread: async () => [],
    queuedMessage: (requestId) =>
      reading(() => {
        const row = message.get(requestId) as (Row & { session_id: string }) | undefined
        return row && inputOf(row, row.session_id)
      }),
    findClaim: (key) => reading(() => claims.find(key)),
    forgetClaims: (before, most) => group.run(() => claims.forget(before, most)),
  }
}

function inputOf({ id, key, at, body, seen }: Row, sessionId: string): Input {
  return { id, sessionId, key, at, ...(seen !== null && { seen }), body: JSON.parse(body) as InputBody }
}
