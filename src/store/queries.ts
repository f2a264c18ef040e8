import type { AuditAction } from '../contract/audit.ts'
import type { FinishReason, Protocol } from '../contract/outcome.ts'
import type { ApprovalView, RoundState } from '../contract/views.ts'

/** What is asked of the store, as data; and a part of a list. */

export interface UsageQuery {
  readonly tenant: string
  readonly owner?: string
  readonly sessionId?: string
  /** times at which rounds ended: from, and before */
  readonly since?: number
  readonly until?: number
}

export interface SpendingQuery {
  readonly tenant: string
  readonly userId?: string
  /** days such as `2026-07-24`, both included */
  readonly since?: string
  readonly until?: string
}

export interface Range {
  readonly after?: number
  readonly upTo?: number
  readonly limit?: number
}

export interface SessionQuery {
  readonly tenant: string
  readonly owner: string
  readonly archived?: boolean
  /** words that are all in the title, in whatever case */
  readonly search?: string
  readonly limit?: number
  readonly cursor?: string
}

export interface RoundQuery {
  readonly tenant: string
  readonly owner?: string
  /** rounds that were started in it, none that it inherited */
  readonly sessionId?: string
  readonly states?: readonly RoundState[]
  readonly finishReason?: FinishReason
  readonly model?: string
  readonly protocol?: Protocol
  /** started then or later */
  readonly since?: number
  readonly limit?: number
  readonly cursor?: string
}

export interface ApprovalQuery {
  readonly tenant: string
  readonly owner: string
  readonly status?: ApprovalView['status']
  readonly limit?: number
  readonly cursor?: string
}

export interface UnknownCallQuery {
  readonly tenant: string
  readonly owner: string
  readonly reconciled?: boolean
  readonly limit?: number
  readonly cursor?: string
}

export interface AuditQuery {
  readonly tenant?: string
  readonly sessionId?: string
  readonly action?: AuditAction
  /** the `next` of an earlier page */
  readonly after?: string
  readonly limit?: number
}

export interface Page<T> {
  readonly items: T[]
  readonly next: string | null
}
