import type { AuditRecord, AuditRow } from '../../contract/audit.ts'
import type { AuditStore } from '../audit.ts'
import { auditPage } from '../audit-page.ts'
import { auditRowOf } from '../content-free.ts'
import type { Database, Query } from './database.ts'
import { pagesOf } from './pages.ts'
import type { Sealer } from './seal-audit.ts'

const COLUMNS = 'seq, tenant, at, body, hash'
/** A row still unsealed after this time is a finding. */
export const UNSEALED_MS = 5000

/** Rows are sealed before they are read, so that each has a number. */
export function auditStore({ query }: Database, { sealAll }: Sealer): AuditStore {
  return {
    appendAudit: (records) => recordOne(query, records),
    async auditPage(wanted) {
      await sealAll()
      return auditPage(
        (seq, limit, tenant) =>
          query<AuditRow>(
            `SELECT ${COLUMNS} FROM audit WHERE seq <= $1 AND ($3::text IS NULL OR tenant = $3) ORDER BY seq DESC LIMIT $2`,
            [seq, limit, tenant ?? null],
          ),
        wanted,
      )
    },
    async auditRows(after, limit) {
      await sealAll()
      const sealed = await query<AuditRow>(`SELECT ${COLUMNS} FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2`, [
        after,
        limit,
      ])
      return sealed.length < limit ? [...sealed, ...(await unsealed(query, after, limit - sealed.length))] : sealed
    },
  }
}

/** All sealed rows, oldest first. */
export const sealedRows = (query: Query): AsyncGenerator<AuditRow[]> =>
  pagesOf<AuditRow>(query, {
    sql: `SELECT ${COLUMNS} FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2`,
    start: [0],
    placeOf: ({ seq }) => [seq],
  })

/** Inserts one row of one tenant, which is sealed later. */
export async function recordOne(query: Query, records: readonly AuditRecord[]): Promise<void> {
  const row = auditRowOf(records)
  if (row) await query('INSERT INTO audit (tenant, at, body) VALUES ($1, $2, $3)', [row.tenant, row.at, row.body])
}

/** Rows that should have been sealed long ago, under the numbers they would have got. */
function unsealed(query: Query, after: number, limit: number): Promise<AuditRow[]> {
  return query<AuditRow>(
    `SELECT * FROM (
       SELECT (SELECT seq FROM audit_head) + row_number() OVER (ORDER BY id) AS seq, tenant, at, body, hash
       FROM audit WHERE seq IS NULL AND stored_at < now_ms() - $1
     ) late WHERE seq > $2 ORDER BY seq LIMIT $3`,
    [UNSEALED_MS, after, limit],
  )
}
