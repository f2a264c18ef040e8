import type { AuditHead, AuditRow } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'

/** Before the first row. */
export const NO_HEAD: AuditHead = { seq: 0, hash: '' }

/** The hash over a row and all before it; the tenant's length is included so that no two rows hash the same text. */
export function sealOf(previous: string, { seq, tenant, at, body }: Omit<AuditRow, 'hash'>): string {
  return sha256(`${previous} ${seq} ${at} ${tenant.length} ${tenant}${body}`)
}

/** What is wrong with the row that follows `before`. */
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

/** Checks rows one after the other; only a head kept elsewhere can show that their end was cut off. */
export function sealChain() {
  const faults: string[] = []
  let head = NO_HEAD
  return {
    faults,
    head: () => head,
    add(row: AuditRow): void {
      const fault = sealFault(head, row)
      if (fault !== undefined) faults.push(fault)
      head = headAfter(row)
    },
  }
}
