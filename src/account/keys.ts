import type { KeyView, StoredKey } from '../contract/account.ts'
import { auditRecord, type AuditRecord } from '../contract/audit.ts'
import { may, OPERATOR, ROLES, type Actor, type Role } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem, invalidField } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { claimOf, earlierResult, type AccountStore } from '../store/index.ts'
import { newKeyText, readKeyText, sameHash } from './key-text.ts'
import { permissionsOf, isCoveredBy } from './roles.ts'
import { createKeySignals } from './key-signals.ts'

interface NewKey {
  readonly name: string
  readonly userId?: string
  readonly role?: Role
  readonly scopes?: readonly string[]
  readonly expiresAt?: number
  /** only an operator may create keys for another tenant */
  readonly tenant?: string
  /** may also run the installation; only an operator can grant it */
  readonly operator?: boolean
}

/** Who a key belongs to; `until` aborts when the key is revoked or expires. */
interface AuthenticatedKey {
  readonly actor: Actor
  readonly keyId: string
  readonly until: AbortSignal
}

export interface Keys {
  /** Returns the key with its secret, which is never shown again, not even to a repeated request. */
  add(actor: Actor, wanted: NewKey, once?: string): Promise<KeyView & { secret?: string }>
  list(actor: Actor): Promise<KeyView[]>
  revoke(actor: Actor, id: string): Promise<void>
  authenticate(text: string): Promise<AuthenticatedKey | undefined>
  /** The key that an invalid text claims to be, if there is such a key. */
  claimedKey(text: string): Promise<{ readonly keyId: string; readonly tenant: string } | undefined>
  close(): void
}

export function createKeys(store: AccountStore, clock: Clock): Keys {
  const signals = createKeySignals(clock)
  const stopWatching = store.onChange((area) => area === 'keys' && void endRevoked().catch(() => {}))

  /** Ends keys that were revoked on any node. */
  async function endRevoked(): Promise<void> {
    for (const id of await store.revokedKeys(signals.ids())) signals.end(id)
  }

  /** A key that is neither revoked nor expired. */
  async function usable(id: string): Promise<StoredKey | undefined> {
    const key = await store.key(id)
    const isOver = !key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= clock.now())
    return isOver ? undefined : key
  }

  function check(actor: Actor, wanted: NewKey): Omit<StoredKey, 'id' | 'hash'> {
    const { name, userId = actor.id, role = 'user', scopes = null, operator = false } = wanted
    const { expiresAt = null, tenant = actor.tenant } = wanted
    const now = clock.now()
    if (!ROLES.includes(role)) throw invalidField('role', `must be one of ${ROLES.join(', ')}`)
    for (const [field, value] of Object.entries({ name, userId, tenant })) {
      if (!/^[\w.@-][\w .@-]{0,99}$/.test(value))
        throw invalidField(field, 'must have 1 to 100 letters, digits, spaces or . _ @ -')
    }
    if (scopes?.some((scope) => !/^(\*|[a-z]{1,40}:(\*|[\w-]{1,100}))$/.test(scope)))
      throw invalidField('scopes', 'must be permissions such as chat:* or audit:read')
    if (expiresAt !== null && !(Number.isSafeInteger(expiresAt) && expiresAt > now))
      throw invalidField('expiresAt', 'must be a time to come')
    if (tenant !== actor.tenant && !may(actor, OPERATOR))
      throw new Problem('PERMISSION_DENIED', 'You may not make keys for another tenant (it needs operator).')
    if (userId !== actor.id && !may(actor, 'role:assign'))
      throw new Problem('PERMISSION_DENIED', 'You may not make a key for somebody else (it needs role:assign).')
    if (role !== 'user' && !may(actor, 'role:assign'))
      throw new Problem('PERMISSION_DENIED', `You may not give the role ${role} (it needs role:assign).`)
    if (!isCoveredBy(permissionsOf(role, scopes, operator), actor.permissions))
      throw new Problem('PERMISSION_DENIED', 'A key may not do more than who makes it.')
    return { tenant, userId, name, role, scopes, operator, createdAt: now, expiresAt, revokedAt: null }
  }

  /** One record for the actor's tenant and one for the key's, if they differ. */
  function recordsOf(action: 'key_created' | 'key_revoked', actor: Actor, key: StoredKey): AuditRecord[] {
    const { id: keyId, role, userId: holder, operator } = key
    const metadata = { keyId, role, holder, ...(operator && { operator }) }
    return [...new Set([actor.tenant, key.tenant])].map((tenant) =>
      auditRecord(action, { id: newId(), at: clock.now(), userId: actor.id, tenant }, metadata),
    )
  }

  async function visibleKey(actor: Actor, id: string): Promise<StoredKey> {
    const key = await store.key(id)
    if (!key || (key.tenant !== actor.tenant && !may(actor, OPERATOR)))
      throw new Problem('NOT_FOUND', `There is no key ${id}.`)
    return key
  }

  return {
    async add(actor, wanted, once) {
      need(actor, 'user:manage')
      const checked = check(actor, wanted)
      const { id, text, hash } = newKeyText()
      const key: StoredKey = { id, hash, ...checked }
      const claim = claimOf('key', actor, once, wanted, { id })
      const audit = recordsOf('key_created', actor, key)
      const stored = await store.putKey(key, { audit, ...(claim && { claim }) })
      if (stored === 'stored') return { ...view(key), secret: text }
      return view(await visibleKey(actor, earlierResult<{ id: string }>(stored.claim, claim).id))
    },
    async list(actor) {
      need(actor, 'user:manage')
      return (await store.keys(may(actor, OPERATOR) ? undefined : actor.tenant)).map(view)
    },
    async revoke(actor, id) {
      need(actor, 'user:manage')
      const key = await visibleKey(actor, id)
      if (!isCoveredBy(permissionsOf(key.role, key.scopes, key.operator), actor.permissions))
        throw new Problem('PERMISSION_DENIED', 'This key may do more than you; somebody who may as much revokes it.')
      await store.revokeKey(id, clock.now(), { audit: recordsOf('key_revoked', actor, key) })
      signals.end(id)
    },
    async authenticate(text) {
      const presented = readKeyText(text)
      const key = presented && (await usable(presented.id))
      if (!presented || !key || !sameHash(key.hash, presented.hash)) return undefined
      const isNew = !signals.has(key.id)
      const until = signals.signal(key.id, key.expiresAt)
      // Changes are watched only from here on, so the key may have been revoked on another node since it was read.
      if (isNew && !(await usable(key.id))) {
        signals.end(key.id)
        return undefined
      }
      const permissions = permissionsOf(key.role, key.scopes, key.operator)
      const actor: Actor = { id: key.userId, kind: kindOf(key.role), tenant: key.tenant, permissions }
      return { actor, keyId: key.id, until }
    },
    async claimedKey(text) {
      const presented = readKeyText(text)
      const key = presented && (await store.key(presented.id))
      return key && { keyId: key.id, tenant: key.tenant }
    },
    close() {
      stopWatching()
      signals.close()
    },
  }
}

export const kindOf = (role: Role): Actor['kind'] => (role === 'admin' || role === 'super_admin' ? 'admin' : 'user')

function view({ hash: _, ...key }: StoredKey): KeyView {
  return key
}
