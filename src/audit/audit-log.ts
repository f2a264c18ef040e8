import { LOCAL_TENANT, OPERATOR, type Actor } from '../contract/actor.ts'
import { AUDIT_ACTIONS, auditRecord, type AuditAction, type AuditRecord } from '../contract/audit.ts'
import { need } from '../contract/need.ts'
import { wrong, type ProblemCode } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { AuditStore, Page } from '../store/index.ts'
import { auditRowsOf } from './audit-rows.ts'
import { exportAudit } from './export.ts'
import { verifyAudit, type AuditReport } from './verify.ts'

export interface AuditWish {
  readonly sessionId?: string
  readonly action?: string
  readonly limit?: number
  readonly cursor?: string
}

/** The record of what was done, for those who may read it. */
export interface AuditLog {
  /** Newest first, of the actor's tenant. */
  page(actor: Actor, wish?: AuditWish): Promise<Page<AuditRecord>>
  /** All of it, with its seals, as JSON lines: only for an operator, because tenants share the chain. */
  export(actor: Actor): AsyncGenerator<string>
  /** Does every seal hold? It is one chain for all tenants, so what is found names rows and nothing of theirs. */
  verify(actor: Actor): Promise<AuditReport>
  /** Somebody asked for what they may not have. */
  denied(actor: Actor, problem: ProblemCode): Promise<void>
  /** Somebody came with a key that is none. It is told to the tenant of the key, or to the owner of the machine. */
  signInFailed(failed: FailedSignIn): Promise<void>
}

export interface FailedSignIn {
  /** the address it came from */
  readonly source: string
  /** how many there were since the last record of this source, with this one */
  readonly failures: number
  /** the key it pretends to be, or was */
  readonly key: { readonly keyId: string; readonly tenant: string } | undefined
}

/** Who failed to sign in is not known. */
const NOBODY = 'nobody'

export function createAuditLog(store: AuditStore, clock: Clock): AuditLog {
  return {
    async page(actor, { action, cursor, ...wish } = {}) {
      need(actor, 'audit:read')
      if (action !== undefined && !Object.hasOwn(AUDIT_ACTIONS, action))
        throw wrong('action', `must be one of ${Object.keys(AUDIT_ACTIONS).join(', ')}`)
      return store.auditPage({
        ...wish,
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
