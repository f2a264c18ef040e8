import { LOCAL_OWNER } from '../contract/actor.ts'
import type { Clock } from '../lib/clock.ts'
import type { AccountStore } from '../store/index.ts'

/** Who can ask for something in a tenant: the users of keys that are still good, and the owner of this machine. */
export function peopleOf(store: AccountStore, clock: Clock, requireKey: boolean) {
  return async (tenant: string): Promise<ReadonlySet<string>> => {
    const now = clock.now()
    const good = (await store.keys(tenant)).filter(
      ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt > now),
    )
    const owner = tenant === LOCAL_OWNER.tenant && !requireKey ? [LOCAL_OWNER.id] : []
    return new Set([...owner, ...good.map(({ userId }) => userId)])
  }
}
