import { setImmediate } from 'node:timers/promises'
import type { AuditRow } from '../contract/audit.ts'
import type { AuditStore } from '../store/index.ts'

const ROWS_AT_A_TIME = 500

/** The whole audit log, oldest first, read in batches. */
export async function* auditRowsOf(store: AuditStore): AsyncGenerator<AuditRow> {
  for (let seq = 0; ;) {
    const rows = await store.auditRows(seq, ROWS_AT_A_TIME)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    seq = last.seq
    await setImmediate()
  }
}
