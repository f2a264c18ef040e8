import type { AuditRecord, AuditRow } from '../../../src/contract/audit.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import type { SegnoUnderTest } from '../../support/segno-under-test.ts'

export interface ReadAudit {
  readonly rows: readonly AuditRow[]
  readonly records: readonly AuditRecord[]
}

/** Closes Segno and reads every row of its audit log from the file. */
export async function readAudit({ segno, home }: SegnoUnderTest): Promise<ReadAudit> {
  await segno.close()
  const store = await openStoreOf(home)
  try {
    const rows = await store.auditRows(0, 100_000)
    return { rows, records: rows.flatMap(({ body }) => JSON.parse(body) as AuditRecord[]) }
  } finally {
    await store.close()
  }
}
