import { AUDIT_ACTIONS, AUDIT_FIELDS, AUDIT_SEVERITIES, type AuditRecord, type AuditRow } from '../contract/audit.ts'
import { sha256 } from '../lib/hash.ts'

/**
 * The only way into the audit log: keeps nothing but the fields and shapes of `contract/audit.ts`, and never throws.
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

/** The audit row for these records of one tenant, undefined if there are none. */
export function auditRowOf(records: readonly AuditRecord[]): Pick<AuditRow, 'tenant' | 'at' | 'body'> | undefined {
  const [first, ...others] = records.map(contentFree)
  if (!first) return undefined
  const { tenant, at } = first
  if (others.some((record) => record.tenant !== tenant)) throw new Error('audit records of two tenants in one row')
  return { tenant, at, body: JSON.stringify([first, ...others]) }
}

/** An id without spaces and at most 200 characters; any other is replaced by its hash. */
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

/** What may be kept of a value, undefined for nothing. */
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

/** Matches nearly every id, and much faster than `ID`. */
const PLAIN_ID = /^[!-~]{1,200}$/
const ID = /^[^\s\p{C}]{1,200}$/u
const NAME = /^[\w.:@/-]{1,128}$/
const HASH = /^[0-9a-f]{64}$/
const CODE = /^[A-Z][A-Z0-9_]{0,39}$/

const MOST_CHARS = 500
/** Longer texts are cut before they are redacted. */
const MOST_READ = 4000

/** In this order: quoted text first, then what could identify a person or be a secret. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/"[^"]*(?:"|$)|`[^`]*(?:`|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|‘[^’]*(?:’|$)|'[^']*'/g, '[quoted]'],
  [/[a-z][a-z0-9+.-]{0,20}:\/\/\S{1,4000}/gi, '[url]'],
  [/\bwww\.\S+/gi, '[url]'],
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{1,255}/gu, '[email]'],
  [/[\p{L}\p{N}_+/=.~-]{20,}/gu, '[token]'],
]

/** An error message without quoted text, URLs, e-mail addresses and long tokens. */
export function redactError(text: string): string {
  let redacted = text.slice(0, MOST_READ)
  for (const [pattern, instead] of REPLACED) redacted = redacted.replace(pattern, instead)
  return redacted.slice(0, MOST_CHARS).toWellFormed()
}
