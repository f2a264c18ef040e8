import type { AuditAction, AuditRecord, AuditRow } from '../contract/audit.ts'
import type { Page } from './lists.ts'

/** The audit log: rows that are sealed in order and never changed. */
export interface AuditStore {
  /** Stores records of one tenant, reduced to the fields `contract/audit.ts` allows. */
  appendAudit(records: readonly AuditRecord[]): Promise<void>
  /** Newest first. */
  auditPage(query: AuditQuery): Promise<Page<AuditRecord>>
  /** Oldest first, for `verifyAudit` and `exportAudit`. */
  auditRows(after: number, limit: number): Promise<AuditRow[]>
}

export interface AuditQuery {
  readonly tenant?: string
  readonly sessionId?: string
  readonly action?: AuditAction
  /** the `next` of an earlier page */
  readonly after?: string
  readonly limit?: number
}
