import { checkStored } from '../../src/round/index.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Store } from '../../src/store/index.ts'
import type { State } from './plan.ts'

/** The store as it is, read past every wrapper. */
export async function stateOf(store: Store): Promise<State> {
  const { tenant, id: owner } = LOCAL_OWNER
  const { items } = await store.approvals({ tenant, owner, status: 'pending', limit: 100 })
  return { sessions: await sessionsOf(store), pending: items.map(({ id }) => id), check: await checkStored(store) }
}

/** Any event of the round, always the same one for the same round. */
export function someSeq(events: readonly StoredEvent[]): number {
  const pick = Number.parseInt(events[0]?.id.slice(-6) ?? '', 16) % events.length
  return events[pick]?.seq ?? 1
}

/** The message that asks for the first call. */
export function askedSeq(events: readonly StoredEvent[]): number {
  return events.find(({ type }) => type === 'message.assistant')?.seq ?? 1
}

async function sessionsOf(store: Store): Promise<State['sessions']> {
  const { items } = await store.sessions({ tenant: LOCAL_OWNER.tenant, owner: LOCAL_OWNER.id, limit: 100 })
  return Promise.all(
    items.map(async ({ id, parent }) => ({ id, ...(parent && { parent }), events: await store.read(id) })),
  )
}

/** Forks that nobody has talked to yet. */
export async function silentForks(store: Store): Promise<string[]> {
  return (await sessionsOf(store))
    .filter(
      ({ parent, events }) => parent && !events.some(({ seq, type }) => seq > parent.seq && type === 'message.user'),
    )
    .map(({ id }) => id)
}
