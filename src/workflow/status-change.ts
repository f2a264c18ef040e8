import type { AuditAction } from '../contract/audit.ts'
import { invalidField } from '../contract/problem.ts'
import type { Changes } from './automations.ts'

const REASON_CHARS = 500

export interface StatusWanted {
  readonly status?: 'active' | 'disabled' | undefined
  readonly reason?: string | undefined
}

/** What switching an automation on or off changes, besides what it does. */
export function statusChange({ status, reason }: StatusWanted): Pick<Changes<'trigger'>, 'status' | 'reason'> {
  if (status !== undefined && status !== 'active' && status !== 'disabled')
    throw invalidField('status', 'must be active or disabled')
  if (reason === undefined) return status === undefined ? {} : { status, reason: null }
  if (status !== 'disabled') throw invalidField('reason', 'goes with the status "disabled"')
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > REASON_CHARS)
    throw invalidField('reason', `must be a text of 1 to ${REASON_CHARS} characters`)
  return { status, reason: reason.trim() }
}

/** How it is recorded. */
export function statusAction({ status }: Pick<StatusWanted, 'status'>): AuditAction {
  if (status === undefined) return 'automation_changed'
  return status === 'active' ? 'automation_enabled' : 'automation_disabled'
}
