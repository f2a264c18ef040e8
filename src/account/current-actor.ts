import { LOCAL_OWNER, type Actor } from '../contract/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { AccountStore } from '../store/index.ts'
import { kindOf } from './keys.ts'
import { commonPermissions, permissionsOf } from './roles.ts'

/** Who made something, when, and with which permissions. */
interface Made {
  readonly tenant: string
  readonly createdBy: string
  readonly permissions: readonly string[]
}

/**
 * Its creator as they are now, with no more than both now and then; undefined if they have no key that is still good
 * and are not the owner of this machine. A program that makes up its own actors gives them keys to be found by.
 */
export function currentActor(store: Pick<AccountStore, 'keys'>, clock: Clock, requireKey: boolean) {
  return async ({ tenant, createdBy, permissions }: Made): Promise<Actor | undefined> => {
    const now = clock.now()
    const good = (await store.keys(tenant)).filter(
      ({ userId, revokedAt, expiresAt }) =>
        userId === createdBy && revokedAt === null && (expiresAt === null || expiresAt > now),
    )
    const isOwner = tenant === LOCAL_OWNER.tenant && createdBy === LOCAL_OWNER.id && !requireKey
    if (good.length === 0 && !isOwner) return undefined
    const has = good.flatMap(({ role, scopes, operator }) => permissionsOf(role, scopes, operator))
    const left = commonPermissions([...has, ...(isOwner ? LOCAL_OWNER.permissions : [])], permissions)
    const kind = good.some(({ role }) => kindOf(role) === 'admin') ? 'admin' : 'user'
    return { id: createdBy, kind, tenant, permissions: left }
  }
}
