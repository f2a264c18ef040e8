import { setImmediate } from 'node:timers/promises'
import type { AuditRecord, AuditRow } from '../contract/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { AuditQuery } from './audit.ts'
import { auditId } from './content-free.ts'
import type { Page } from './lists.ts'

/** Rows read before other work gets its turn. */
const ROWS_AT_A_TIME = 1000

/** Rows up to a number, newest first; the database may leave out other tenants. */
type RowsUpTo = (
  seq: number,
  limit: number,
  tenant: string | undefined,
) => readonly AuditRow[] | Promise<readonly AuditRow[]>

/** A page of the audit log, newest first, read in small steps. */
export async function auditPage(rowsUpTo: RowsUpTo, query: AuditQuery): Promise<Page<AuditRecord>> {
  const { sessionId, action, limit = 50 } = query
  const tenant = query.tenant === undefined ? undefined : auditId(query.tenant)
  const items: AuditRecord[] = []
  for await (const [row, records, end] of recordsUpTo(rowsUpTo, placeOf(query.after), tenant)) {
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
}

async function* recordsUpTo(
  rowsUpTo: RowsUpTo,
  start: Place,
  tenant: string | undefined,
): AsyncGenerator<[AuditRow, readonly AuditRecord[], number]> {
  for (let { seq } = start; ;) {
    const rows = await rowsUpTo(seq, ROWS_AT_A_TIME, tenant)
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

/** A damaged row shows nothing here; `verifyAudit` reports it. */
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
