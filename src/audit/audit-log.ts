import { LOCAL_TENANT, OPERATOR, type Actor } from '../contract/actor.ts'
import { AUDIT_ACTIONS, auditRecord, type AuditAction, type AuditRecord, type AuditReport } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { invalidField, type ProblemCode } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { AuditStore, Page } from '../store/index.ts'
import { auditRowsOf } from './audit-rows.ts'
import { exportAudit } from './export.ts'
import { verifyAudit } from './verify.ts'

interface AuditListOptions {
  readonly sessionId?: string
  readonly action?: string
  readonly limit?: number
  readonly cursor?: string
}

/** The audit log for those who may read it. */
export interface AuditLog {
  /** Newest first, of the actor's tenant. */
  page(actor: Actor, query?: AuditListOptions): Promise<Page<AuditRecord>>
  /** The whole log with its seals as JSON lines; only for an operator, because tenants share the chain. */
  export(actor: Actor): AsyncGenerator<string>
  /** Checks every seal; findings name only rows, because all tenants share the chain. */
  verify(actor: Actor): Promise<AuditReport>
  /** Records that an actor was denied something. */
  denied(actor: Actor, problem: ProblemCode): Promise<void>
  /** Records a failed sign-in for the key's tenant or, without a key, for the local tenant. */
  signInFailed(failed: FailedSignIn): Promise<void>
}

interface FailedSignIn {
  readonly source: string
  /** since the last record for this source, including this one */
  readonly failures: number
  /** the key it claims to be, if there is one */
  readonly key: { readonly keyId: string; readonly tenant: string } | undefined
}

const NOBODY = 'nobody'

export function createAuditLog(store: AuditStore, clock: Clock): AuditLog {
  return {
    async page(actor, { action, cursor, ...query } = {}) {
      need(actor, 'audit:read')
      if (action !== undefined && !Object.hasOwn(AUDIT_ACTIONS, action))
        throw invalidField('action', `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`)
      return store.auditPage({
        ...query,
        tenant: actor.tenant,
        ...(action !== undefined && { action: action as AuditAction }),
        ...(cursor !== undefined && { after: cursor }),
      })
    },
    export(actor) {
      need(actor, OPERATOR)
      return exportAudit(auditRowsOf(store))
    },
    async verify(actor) {
      need(actor, 'audit:read')
      return verifyAudit(auditRowsOf(store))
    },
    async denied({ id: userId, tenant }, problem) {
      const subject = { id: newId(), at: clock.now(), userId, tenant }
      await store.appendAudit([auditRecord('access_denied', subject, { problem }, 'warning')])
    },
    async signInFailed({ source, failures, key }) {
      const tenant = key?.tenant ?? LOCAL_TENANT
      const subject = { id: newId(), at: clock.now(), userId: NOBODY, tenant }
      const metadata = { source, failures, ...(key && { keyId: key.keyId }) }
      await store.appendAudit([auditRecord('sign_in_failed', subject, metadata, 'warning')])
    },
  }
}
