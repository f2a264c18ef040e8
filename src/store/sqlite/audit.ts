import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { AuditHead, AuditRecord, AuditRow } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { auditId, contentFree } from '../content-free.ts'
import { headAfter, NO_HEAD, sealOf } from '../seal.ts'
import type { AuditQuery } from '../audit.ts'
import type { Page } from '../lists.ts'
import type { OnRollback } from './group-commit.ts'

/** Rows looked through before others get their turn. */
const ROWS_AT_A_TIME = 1000

/** The audit log. SQLite has one writer, so a row is sealed in the transaction that writes it. */
export function auditIn(db: DatabaseSync) {
  const last = db.prepare('SELECT seq, tenant, at, body, hash FROM audit ORDER BY seq DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO audit (seq, tenant, at, body, hash) VALUES (?, ?, ?, ?, ?)')
  const forward = db.prepare('SELECT seq, tenant, at, body, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ?')
  const backward = db.prepare('SELECT seq, tenant, at, body, hash FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT ?')
  const newest = last.get() as unknown as AuditRow | undefined
  let head: AuditHead = newest ? headAfter(newest) : NO_HEAD

  /** Newest first. An old page takes time, but never much of it at once. */
  async function* recordsBefore(start: Place): AsyncGenerator<[AuditRow, readonly AuditRecord[], number]> {
    for (let { seq } = start; ;) {
      const rows = backward.all(seq, ROWS_AT_A_TIME) as unknown as AuditRow[]
      for (const row of rows) {
        const records = readable(row.body)
        yield [row, records, row.seq === start.seq ? Math.min(start.index, records.length) : records.length]
      }
      const end = rows.at(-1)
      if (!end || rows.length < ROWS_AT_A_TIME) return
      seq = end.seq - 1
      await setImmediate()
    }
  }

  return {
    /** Inside a transaction. */
    append(records: readonly AuditRecord[], onRollback: OnRollback): void {
      const [first, ...others] = records.map(contentFree)
      if (!first) return
      const { tenant, at } = first
      if (others.some((record) => record.tenant !== tenant)) throw new Error('audit records of two tenants in one row')
      const row = { seq: head.seq + 1, tenant, at, body: JSON.stringify([first, ...others]) }
      const hash = sealOf(head.hash, row)
      insert.run(row.seq, tenant, at, row.body, hash)
      const before = head
      head = { seq: row.seq, hash }
      onRollback(() => (head = before))
    },
    rows: (after: number, limit: number): AuditRow[] => forward.all(after, limit) as unknown as AuditRow[],
    async page(query: AuditQuery): Promise<Page<AuditRecord>> {
      const { sessionId, action, limit = 50 } = query
      const tenant = query.tenant === undefined ? undefined : auditId(query.tenant)
      const items: AuditRecord[] = []
      for await (const [row, records, end] of recordsBefore(placeOf(query.after))) {
        if (tenant !== undefined && row.tenant !== tenant) continue
        for (let i = end - 1; i >= 0; i--) {
          const record = records[i] as AuditRecord
          if (sessionId !== undefined && record.sessionId !== sessionId) continue
          if (action !== undefined && record.action !== action) continue
          if (items.length === limit) return { items, next: `${row.seq}.${i + 1}` }
          items.push(record)
        }
      }
      return { items, next: null }
    },
  }
}

/** A row that was damaged shows nothing here; verifying reports it. */
function readable(body: string): readonly AuditRecord[] {
  try {
    return JSON.parse(body) as AuditRecord[]
  } catch {
    return []
  }
}

/** Where a page begins: before record `index` of row `seq`. */
interface Place {
  readonly seq: number
  readonly index: number
}

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { seq: Number.MAX_SAFE_INTEGER, index: Infinity }
  const [, seq, index] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor) ?? []
  if (seq !== undefined && index !== undefined) return { seq: Number(seq), index: Number(index) }
  throw new Problem('VALIDATION_ERROR', 'after must be the `next` of an earlier page.', { field: 'after' })
}
