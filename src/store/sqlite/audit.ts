import type { DatabaseSync } from 'node:sqlite'
import type { AuditHead, AuditRecord, AuditRow } from '../../contract/audit.ts'
import type { AuditQuery } from '../audit.ts'
import { auditPage } from '../audit-page.ts'
import { auditRowOf } from '../content-free.ts'
import type { Page } from '../lists.ts'
import { headAfter, NO_HEAD, sealOf } from '../seal.ts'
import type { OnRollback } from './group-commit.ts'

/** SQLite has one writer, so an audit row is sealed in the transaction that writes it. */
export function auditIn(db: DatabaseSync) {
  const last = db.prepare('SELECT seq, tenant, at, body, hash FROM audit ORDER BY seq DESC LIMIT 1')
  const insert = db.prepare('INSERT INTO audit (seq, tenant, at, body, hash) VALUES (?, ?, ?, ?, ?)')
  const forward = db.prepare('SELECT seq, tenant, at, body, hash FROM audit WHERE seq > ? ORDER BY seq LIMIT ?')
  const backward = db.prepare('SELECT seq, tenant, at, body, hash FROM audit WHERE seq <= ? ORDER BY seq DESC LIMIT ?')
  const newest = last.get() as unknown as AuditRow | undefined
  let head: AuditHead = newest ? headAfter(newest) : NO_HEAD
  return {
    /** Must run inside a transaction. */
    append(records: readonly AuditRecord[], onRollback: OnRollback): void {
      const stored = auditRowOf(records)
      if (!stored) return
      const row = { seq: head.seq + 1, ...stored }
      const hash = sealOf(head.hash, row)
      insert.run(row.seq, row.tenant, row.at, row.body, hash)
      const before = head
      head = { seq: row.seq, hash }
      onRollback(() => (head = before))
    },
    rows: (after: number, limit: number): AuditRow[] => forward.all(after, limit) as unknown as AuditRow[],
    page: (query: AuditQuery): Promise<Page<AuditRecord>> =>
      auditPage((seq, limit) => backward.all(seq, limit) as unknown as AuditRow[], query),
  }
}
