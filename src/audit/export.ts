import type { AuditHead, AuditRow } from '../contract/audit.ts'
import { headAfter, NO_HEAD } from '../store/index.ts'

/** JSON lines: one row each with its seal, and last the head for a later `verifyAudit`. */
export async function* exportAudit(rows: AsyncIterable<AuditRow> | Iterable<AuditRow>): AsyncGenerator<string> {
  let head: AuditHead = NO_HEAD
  for await (const { seq, tenant, at, body, hash } of rows) {
    yield `${JSON.stringify({ seq, tenant, at, body, hash })}\n`
    head = headAfter({ seq, tenant, at, body, hash })
  }
  yield `${JSON.stringify({ head })}\n`
}
