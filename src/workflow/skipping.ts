import { auditRecord, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import type { Automation } from '../contract/automation.ts'
import { Problem } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'

/** Faults of the store or the moment rather than of an automation; what they stop may be tried again. */
const PASSING: readonly Problem['code'][] = ['STORE_BUSY', 'STORE_UNAVAILABLE', 'SHUTTING_DOWN']

export const isPassing = (error: unknown): boolean => !(error instanceof Problem) || PASSING.includes(error.code)

/** That an automation was to do something and did not. */
export function skipRecord(
  { id: automationId, kind: automation, tenant, createdBy: userId }: Automation,
  why: AuditMetadata,
  at: number,
  { id = newId(), sessionId = null }: { readonly id?: string; readonly sessionId?: string | null } = {},
): AuditRecord {
  const subject = { id, at, tenant, userId, sessionId }
  return auditRecord('automation_skipped', subject, { automationId, automation, ...why }, 'warning')
}
