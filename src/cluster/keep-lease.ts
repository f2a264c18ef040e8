import { Problem } from '../contract/problem.ts'
import { delay } from '../lib/delay.ts'
import { newId } from '../lib/id.ts'
import { Listeners } from '../lib/listeners.ts'
import type { Joined, NewNode, NodeLoad, NodeRow, NodeStore, Taken } from '../store/index.ts'
import type { DatabaseClock } from './database-clock.ts'
import { leaseState } from './lease-state.ts'
import type { LeaseTimes } from './lease-times.ts'

export interface LeaseOptions {
  readonly self: Pick<NewNode, 'address' | 'version' | 'secretHash'>
  readonly times: LeaseTimes
  readonly clock: DatabaseClock
  load(): NodeLoad
  /** Called when the start has to wait for a node that seems to be gone. */
  onWaiting?(): void
}

/** Joins as a node and keeps its lease; a node that lost it, or was evicted, joins again under another id. */
export async function keepLease(nodes: NodeStore, options: LeaseOptions) {
  const { self, times, clock } = options
  const state = leaseState(times)
  const stop = new AbortController()
  const lost = new Listeners<[]>()
  const regained = new Listeners<[]>()
  const gone = new Listeners<[nodeId: string]>()
  let id = ''
  /** ids this process had or tried since it last joined */
  let former: string[] = []
  const mine = new Set<string>()
  let isHeld = false
  let lapse: NodeJS.Timeout | undefined
  let seen: readonly NodeRow[] = []
  let living = 1
  let knownToAll = 0
  let leaving: Promise<void> | undefined

  async function join(): Promise<Joined | Taken> {
    const next = newId()
    const sentAt = clock.ticks()
    const replaces = former
    former = [...former, next]
    const joined = await nodes.join({ ...self, id: next, leaseMs: times.leaseMs, replaces })
    clock.measured(sentAt, clock.ticks(), joined.now)
    if (joined.kind === 'taken') return joined
    id = next
    mine.add(id)
    former = []
    hold(sentAt)
    return joined
  }

  function hold(sentAt: number): void {
    // It has left meanwhile, so the new node owns nothing and its lease just ends.
    if (stop.signal.aborted) return
    state.renewed(sentAt)
    isHeld = true
    clearTimeout(lapse)
    lapse = setTimeout(lapsed, Math.max(0, state.actUntil() - clock.ticks()))
  }

  function lapsed(): void {
    if (isHeld && !state.mayAct(clock.ticks())) lose()
    // The timer may fire a little early by the other clock.
    else if (isHeld) lapse = setTimeout(lapsed, 1)
  }

  function lose(): void {
    clearTimeout(lapse)
    isHeld = false
    state.ended()
    former.push(id)
    lost.notify()
  }

  /** Renews or joins again; false to retry soon. */
  async function renewOrJoin(): Promise<boolean> {
    if (stop.signal.aborted) return true
    if (!isHeld) {
      if ((await join()).kind === 'taken') return false
      regained.notify()
      return true
    }
    const sentAt = clock.ticks()
    const renewed = await nodes.renew(id, times.leaseMs, options.load())
    const answeredAt = clock.ticks()
    clock.measured(sentAt, answeredAt, renewed.now)
    // The process may have been suspended, so that the time is over although no timer fired.
    if (isHeld && (renewed.kind === 'evicted' || !state.mayAct(answeredAt))) lose()
    if (!isHeld) return renewOrJoin()
    hold(sentAt)
    return true
  }

  /** Reads the list of nodes, and evicts those whose lease has ended. */
  async function checkNodes(): Promise<void> {
    let found = await nodes.nodes()
    const isOver = (one: NodeRow): boolean => one.until <= found.now
    if (state.mayEvict(clock.ticks()) && found.nodes.some(isOver)) {
      await nodes.evict()
      found = await nodes.nodes()
    }
    const before = seen
    seen = found.nodes
    knownToAll = found.knownToAll
    living = Math.max(1, found.nodes.filter((one) => !isOver(one)).length)
    const there = new Set(seen.map((one) => one.id))
    for (const one of before) if (!there.has(one.id) && !mine.has(one.id)) gone.notify(one.id)
  }

  async function repeat(work: () => Promise<boolean | void>, everyMs: number): Promise<void> {
    while (!stop.signal.aborted) {
      let isGood = false
      try {
        isGood = (await work()) ?? true
      } catch {
        if (work === renewOrJoin) state.failed()
      }
      await delay(isGood ? everyMs : times.retryMs, stop.signal)
    }
  }

  async function leave(isIdle: boolean): Promise<void> {
    stop.abort()
    clearTimeout(lapse)
    const was = isHeld
    isHeld = false
    await Promise.all(loops)
    if (was && isIdle) await nodes.leave(id)
  }

  const { cluster } = await joinAtStart(join, times, options.onWaiting)
  await checkNodes().catch(() => {})
  const loops = [repeat(renewOrJoin, times.renewMs), repeat(checkNodes, times.checkMs)]

  return {
    cluster,
    id: () => id,
    mayAct: () => isHeld && state.mayAct(clock.ticks()),
    leftMs: () => (isHeld ? Math.max(0, state.actUntil() - clock.ticks()) : 0),
    nodes: () => seen,
    living: () => living,
    knownToAll: () => knownToAll,
    onLost: (listener: () => void) => lost.subscribe(listener),
    onRegained: (listener: () => void) => regained.subscribe(listener),
    onGone: (listener: (nodeId: string) => void) => gone.subscribe(listener),
    /** Only the first call counts. */
    leave: (isIdle: boolean): Promise<void> => (leaving ??= leave(isIdle)),
  }
}

/** A node without an address must be alone, so it waits until the lease of any other has ended. */
async function joinAtStart(join: () => Promise<Joined | Taken>, times: LeaseTimes, onWaiting = () => {}) {
  let waitedFor: Taken | undefined
  for (;;) {
    const joined = await join()
    if (joined.kind === 'joined') return joined
    // A node that renews lives; one whose lease just ends was killed.
    if (waitedFor && (joined.by !== waitedFor.by || joined.until !== waitedFor.until)) throw notAlone(joined)
    if (!waitedFor) onWaiting()
    waitedFor = joined
    await delay(Math.min(times.checkMs, joined.until - joined.now + 1))
  }
}

function notAlone({ hasAddress }: Taken): Problem {
  return new Problem(
    'CONFIG_ERROR',
    hasAddress
      ? 'Other nodes use this database. To be one more, set SEGNO_CLUSTER_SECRET to the same as theirs and SEGNO_NODE_URL to where they reach this one.'
      : 'Another Segno uses this database and has no SEGNO_CLUSTER_SECRET or SEGNO_NODE_URL. Set both on every node, or give this one a database of its own.',
  )
}
