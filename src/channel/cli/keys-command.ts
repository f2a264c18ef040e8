import type { KeyView } from '../../contract/account.ts'
import { bodyOf, nothingIn, itemsOf } from './read-answer.ts'
import type { Reached } from './reach.ts'
import type { Wire } from './wire.ts'

export interface NewKeyFlags {
  readonly user?: string
  readonly role?: string
  readonly scope?: readonly string[]
  readonly tenant?: string
  readonly days?: number
  readonly operator?: boolean
}

type Key = Wire<KeyView> & { readonly secret?: string }

const DAY_MS = 86_400_000

export async function addKey({ ask }: Reached, name: string, flags: NewKeyFlags, json: boolean): Promise<string> {
  const { user, scope, days, role, tenant, operator } = flags
  const made = await ask('POST', '/api/keys', {
    name,
    ...(user !== undefined && { userId: user }),
    ...(role !== undefined && { role }),
    ...(tenant !== undefined && { tenant }),
    ...(scope && { scopes: scope }),
    ...(operator && { operator }),
    ...(days !== undefined && { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() }),
  })
  const key = await bodyOf<Key>(made, 'id', 'secret')
  if (json) return JSON.stringify(key)
  return `${key.secret}\nThis is ${describe(key)}. It is shown only now: keep it somewhere safe.`
}

export async function listKeys({ ask }: Reached, json: boolean): Promise<string> {
  const items = await itemsOf<Key>(await ask('GET', '/api/keys'))
  if (json) return JSON.stringify(items)
  return items.length === 0 ? 'There are no keys. Make one with: segno keys add <name>' : items.map(describe).join('\n')
}

export async function removeKey({ ask }: Reached, id: string, json: boolean): Promise<string> {
  nothingIn(await ask('DELETE', `/api/keys/${encodeURIComponent(id)}`))
  return json ? JSON.stringify({ id, revoked: true }) : `Key ${id} is revoked.`
}

function describe({ id, name, tenant, userId, role, scopes, operator, expiresAt, revokedAt }: Key): string {
  const state = revokedAt !== null ? 'revoked' : expiresAt === null ? 'does not expire' : `until ${expiresAt}`
  const rights = `${role}${scopes ? ` (${scopes.join(', ')})` : ''}${operator ? ', operator' : ''}`
  return `key ${id} "${name}" of ${userId} in ${tenant}: ${rights}, ${state}`
}
