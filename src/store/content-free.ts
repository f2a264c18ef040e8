import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_SEVERITIES, type AuditRecord } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'
import { redactError } from './redact-error.ts'

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
    const value = fits.get(field)?.((metadata as Readonly<Record<string, unknown>>)[field])
    if (value !== undefined) kept[field] = value
  }
  return kept
}

/** What may be kept of a value, undefined if nothing may. */
type Fit = (value: unknown) => unknown

const text =
  (fit: (value: string) => string | undefined): Fit =>
  (value) =>
    typeof value === 'string' ? fit(value) : undefined

const FIT_KIND = {
  number: (value) => (Number.isFinite(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  id: text(auditId),
  name: text((value) => (NAME.test(value) ? value : `sha256:${sha256(value)}`)),
  hash: text((value) => (HASH.test(value) ? value : undefined)),
  code: text((value) => (CODE.test(value) ? value : undefined)),
  error: text(redactError),
} satisfies Record<string, Fit>

function oneOf(words: readonly string[]): Fit {
  return (value) => (words.includes(value as string) ? value : undefined)
}

const fits: ReadonlyMap<string, Fit> = new Map(
  Object.entries(AUDIT_FIELDS).map(([field, kind]) => [field, typeof kind === 'string' ? FIT_KIND[kind] : oneOf(kind)]),
)

/** Nearly every id is one of these, and this is much faster to see. */
const PLAIN_ID = /^[!-~]{1,200}$/
const ID = /^[^\s\p{C}]{1,200}$/u
const NAME = /^[\w.:@/-]{1,128}$/
const HASH = /^[0-9a-f]{64}$/
const CODE = /^[A-Z][A-Z0-9_]{0,39}$/
