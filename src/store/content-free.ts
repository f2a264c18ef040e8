import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_SEVERITIES, type AuditRecord } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'
import { redactError } from './redact-error.ts'

type Loose = Readonly<Record<string, unknown>>

/**
 * The only way into the audit log. What comes out is made here, field by field: whatever is not on the closed lists of
 * `contract/audit.ts`, or does not look like what its field is for, stays outside. It never throws: that something
 * happened is recorded even when it is not clear what.
 */
export function contentFree(record: AuditRecord): AuditRecord {
  const { id, at, action, severity, requestId, sessionId, userId, tenant, metadata } = record
  const known = Object.hasOwn(AUDIT_ACTIONS, action) ? action : 'unrecognised'
  return {
    id: auditId(id),
    at: Number.isFinite(at) ? Math.trunc(at) : 0,
    category: AUDIT_ACTIONS[known],
    action: known,
    severity: AUDIT_SEVERITIES.includes(severity) ? severity : 'warning',
    requestId: requestId === null || requestId === undefined ? null : auditId(requestId),
    sessionId: sessionId === null || sessionId === undefined ? null : auditId(sessionId),
    userId: auditId(userId),
    tenant: auditId(tenant),
    metadata: closed(metadata),
  }
}

/** An id has no spaces and is short; a caller's id that is neither is known by its hash. */
export function auditId(id: unknown): string {
  if (typeof id !== 'string') return 'unknown'
  return PLAIN_ID.test(id) || (ID.test(id) && id.isWellFormed()) ? id : `sha256:${sha256(id)}`
}

function closed(metadata: unknown): AuditRecord['metadata'] {
  const kept: Record<string, unknown> = {}
  if (typeof metadata !== 'object' || metadata === null) return kept
  for (const field of Object.keys(metadata)) {
    if (!Object.hasOwn(AUDIT_FIELDS, field)) continue
    const value = fitting(AUDIT_FIELDS[field as keyof typeof AUDIT_FIELDS], (metadata as Loose)[field])
    if (value !== undefined) kept[field] = value
  }
  return kept
}

function fitting(kind: (typeof AUDIT_FIELDS)[keyof typeof AUDIT_FIELDS], value: unknown): unknown {
  if (kind === 'number') return Number.isFinite(value) ? value : undefined
  if (kind === 'boolean') return typeof value === 'boolean' ? value : undefined
  if (typeof value !== 'string') return undefined
  switch (kind) {
    case 'id':
      return auditId(value)
    case 'name':
      return NAME.test(value) ? value : `sha256:${sha256(value)}`
    case 'hash':
      return HASH.test(value) ? value : undefined
    case 'code':
      return CODE.test(value) ? value : undefined
    case 'error':
      return redactError(value)
    default:
      return (kind as readonly string[]).includes(value) ? value : undefined
  }
}

/** Nearly every id is one of these, and this is much faster to see. */
const PLAIN_ID = /^[!-~]{1,200}$/
const ID = /^[^\s\p{C}]{1,200}$/u
const NAME = /^[\w.:@/-]{1,128}$/
const HASH = /^[0-9a-f]{64}$/
const CODE = /^[A-Z][A-Z0-9_]{0,39}$/
