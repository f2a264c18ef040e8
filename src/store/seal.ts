import type { AuditHead, AuditRow } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'

/** Before the first row. */
export const NO_HEAD: AuditHead = { seq: 0, hash: '' }

/** The hash of a row and of all before it. The length says where the tenant ends, so that no two rows read the same. */
export function sealOf(previous: string, { seq, tenant, at, body }: Omit<AuditRow, 'hash'>): string {
  return sha256(`${previous} ${seq} ${at} ${tenant.length} ${tenant}${body}`)
}

/** What is wrong with the row that comes after `before`, in a sentence. */
export function sealFault(before: AuditHead, row: AuditRow): string | undefined {
  const next = before.seq + 1
  if (row.seq > next) {
    return row.seq === next + 1 ? `row ${next} is missing` : `rows ${next} to ${row.seq - 1} are missing`
  }
  if (row.seq < next) return `row ${row.seq} stands again or out of order after row ${before.seq}`
  if (row.hash === null) return `row ${row.seq} is not sealed`
  if (row.hash !== sealOf(before.hash, row))
    return `row ${row.seq} does not fit its seal: it, or what was before it, was changed`
  return undefined
}

export function headAfter(row: AuditRow): AuditHead {
  return { seq: row.seq, hash: row.hash ?? '' }
}
