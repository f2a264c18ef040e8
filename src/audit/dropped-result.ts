import { auditRecord, type AuditRecord } from '../contract/audit.ts'
import { newId } from '../lib/id.ts'

/** The record of a result that came too late or for no call. */
export function droppedResult(
  sessionId: string,
  tenant: string,
  { callId, by }: { callId: string; by: string },
  at: number,
): AuditRecord {
  return auditRecord('result_dropped', { id: newId(), at, sessionId, userId: by, tenant }, { callId }, 'warning')
}
