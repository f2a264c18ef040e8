import type { AuditHead, AuditReport, AuditRow } from '../contract/audit.ts'
import { headAfter, NO_HEAD, sealFault } from '../store/index.ts'

const MOST_FINDINGS = 100

/**
 * Checks the chain from the first row for edited, removed, inserted, moved and unsealed rows; a cut-off end shows only
 * against an earlier head.
 */
export async function verifyAudit(
  log: AsyncIterable<AuditRow> | Iterable<AuditRow>,
  expected?: AuditHead,
): Promise<AuditReport> {
  const findings: string[] = []
  let more = 0
  const find = (finding: string): unknown => (findings.length < MOST_FINDINGS ? findings.push(finding) : more++)
  let head: AuditHead = NO_HEAD
  let rows = 0
  let records = 0
  let met = expected === undefined || expected.seq === 0
  for await (const row of log) {
    const fault = sealFault(head, row)
    if (fault !== undefined) find(fault)
    const count = recordsIn(row.body)
    if (count === undefined) find(`row ${row.seq} cannot be read`)
    if (expected && row.seq === expected.seq) {
      met = true
      if (row.hash !== expected.hash) find(`row ${row.seq} is not the one whose seal was given`)
    }
    head = headAfter(row)
    rows += 1
    records += count ?? 0
  }
  if (!met) find(`the log ends with row ${head.seq}, but there was a row ${expected?.seq}: its end was cut off`)
  if (more > 0) findings.push(`and ${more} more`)
  return { ok: findings.length === 0, rows, records, head, findings }
}

function recordsIn(body: string): number | undefined {
  try {
    const records: unknown = JSON.parse(body)
    return Array.isArray(records) ? records.length : undefined
  } catch {
    return undefined
  }
}
