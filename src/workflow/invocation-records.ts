import { auditRecord, type AuditAction, type AuditMetadata, type AuditRecord } from '../contract/audit.ts'
import type { Invocation } from '../contract/invocation.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'

/** What is on record of invocations. */
export function invocationRecords(clock: Clock) {
  /** `by`: who did it, if not the user it runs for */
  function record(
    action: AuditAction,
    invocation: Invocation,
    {
      by,
      severity,
      ...more
    }: AuditMetadata & { readonly by?: string; readonly severity?: AuditRecord['severity'] } = {},
  ): AuditRecord {
    const { id: invocationId, automationId, origin, callId, depth } = invocation
    const { tenant, userId, sessionId = null, requestId = null } = invocation
    const subject = { id: newId(), at: clock.now(), tenant, userId: by ?? userId, sessionId, requestId }
    const named = { invocationId, automationId, origin, depth, ...(callId !== undefined && { callId }) }
    return auditRecord(action, subject, { ...named, ...more }, severity)
  }

  return {
    record,
    endRecord(invocation: Invocation): AuditRecord {
      const { status: invocationStatus, code, attempts, createdAt, endedAt = createdAt } = invocation
      return record('orchestrator.workflow.result', invocation, {
        invocationStatus,
        ...(code !== undefined && { invocationCode: code }),
        attempts,
        durationMs: endedAt - createdAt,
        severity: invocationStatus === 'success' ? 'info' : 'warning',
      })
    },
  }
}

export type InvocationRecords = ReturnType<typeof invocationRecords>
