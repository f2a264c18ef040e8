import type { StoredEvent } from '../../src/contract/event.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { Store } from '../../src/store/index.ts'
import { checkAll } from '../crash/checks/check-all.ts'
import type { Violation } from '../crash/checks/evidence.ts'
import type { Delivery } from '../crash/ledger.ts'
import type { Episode, Heard, State } from '../crash/plan.ts'
import { callFaults } from '../properties/invariants/calls.ts'
import { orderFaults } from '../properties/invariants/order.ts'
import { phaseFaults } from '../properties/invariants/phases.ts'
import { roundLogs } from '../properties/invariants/round-logs.ts'
import { turnFaults } from '../properties/invariants/turns.ts'
import type { Shown } from './client.ts'
import type { Deed } from './node-plan.ts'

export interface ClusterEvidence {
  readonly heard: readonly Heard[]
  readonly shown: readonly Shown[]
  readonly deliveries: readonly Delivery[]
  readonly deeds: readonly Deed[]
  readonly episodes: readonly Episode[]
  readonly state: State
}

/** Everything that is wrong with one episode; nothing, if all is well. */
export function judge({ heard, shown, deliveries, deeds, episodes, state }: ClusterEvidence): Violation[] {
  return [
    ...checkAll({ lives: [heard], deliveries, state, episodes }),
    ...fencedCommits(deeds),
    ...shownEvents(shown, state),
    ...state.sessions.flatMap(({ id, events }) =>
      invariants(events).map((what) => ({ harm: 'disordered' as const, check: 'invariants', what: `${id}: ${what}` })),
    ),
  ]
}

/** What a new owner found when it claimed a session is all that an earlier one ever stored. */
export function fencedCommits(deeds: readonly Deed[]): Violation[] {
  const claims = Map.groupBy(
    deeds.filter((deed) => deed.type === 'claim'),
    ({ sessionId }) => sessionId,
  )
  return deeds.flatMap((deed) => {
    if (deed.type !== 'commit') return []
    const { sessionId, epoch, expected, events } = deed
    const later = (claims.get(sessionId) ?? []).find((one) => one.epoch > epoch && one.head < expected + events)
    if (!later || events === 0) return []
    const what = `session ${sessionId}: epoch ${epoch} stored ${expected + events} after epoch ${later.epoch} began at ${later.head}`
    return [{ harm: 'disordered', check: 'fenced owners store nothing', what }]
  })
}

/** Whatever was shown by any node is stored, as it was shown and under its number; nobody missed anything. */
function shownEvents(shown: readonly Shown[], { sessions }: State): Violation[] {
  return sessions.flatMap(({ id: sessionId, events }) => {
    const found: Violation[] = []
    let last = 0
    for (const one of shown.filter((some) => some.sessionId === sessionId)) {
      const stored = events[one.seq - 1]
      const isSame = stored?.id === one.id && stored.type === one.type
      if (!isSame) {
        const what = `event ${one.seq} of ${sessionId} was shown as ${one.type} ${one.id} and is ${stored?.type} ${stored?.id}`
        found.push({ harm: 'lost', check: 'shown events are stored', what })
      }
      if (one.seq !== last + 1) {
        const what = `a follower of ${sessionId} got event ${one.seq} after event ${last}`
        found.push({ harm: 'lost', check: 'followers miss nothing', what })
      }
      last = one.seq
    }
    return found
  })
}

function invariants(log: readonly StoredEvent[]): string[] {
  const rounds = roundLogs(log)
  return [
    ...orderFaults(log, rounds),
    ...rounds.flatMap((round) => [...turnFaults(round), ...callFaults(log, round), ...phaseFaults(round)]),
  ]
}

/** The sessions of an episode as the database has them. */
export async function stateOf(store: Store, ids: readonly string[]): Promise<State> {
  const { tenant, id: owner } = LOCAL_OWNER
  const { items } = await store.approvals({ tenant, owner, status: 'pending', limit: 100 })
  const logs = await Promise.all(ids.map(async (id) => ({ id, events: await store.read(id) })))
  const mine = new Set(ids)
  return {
    sessions: logs,
    pending: items.filter(({ sessionId }) => mine.has(sessionId)).map(({ id }) => id),
    check: { ok: true, sessions: ids.length, events: 0, findings: [] },
  }
}
