import type { AuditAction, AuditRecord, AuditRow } from '../contract/audit.ts'
import type { Page } from './lists.ts'

/** The audit log: rows that are sealed one after the other and never changed. */
export interface AuditStore {
  /** Records of one tenant about what is in no log; nothing but what `contract/audit.ts` lists is kept of them. */
  appendAudit(records: readonly AuditRecord[]): Promise<void>
  /** Newest first. */
  auditPage(query: AuditQuery): Promise<Page<AuditRecord>>
  /** Oldest first, as they were sealed: for `verifyAudit` and `exportAudit`. */
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
