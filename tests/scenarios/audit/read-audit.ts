import { join } from 'node:path'
import type { AuditRecord, AuditRow } from '../../../src/contract/audit.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import type { SegnoUnderTest } from '../../support/segno-under-test.ts'

export interface ReadAudit {
  readonly rows: readonly AuditRow[]
  readonly records: readonly AuditRecord[]
}

/** Closes Segno and reads every row of its audit log from the file. */
export async function readAudit({ segno, home }: SegnoUnderTest): Promise<ReadAudit> {
  await segno.close()
  const store = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
  try {
    const rows = await store.auditRows(0, 100_000)
    return { rows, records: rows.flatMap(({ body }) => JSON.parse(body) as AuditRecord[]) }
  } finally {
    await store.close()
  }
}
