import { systemClock, ticksOf, type Clock } from '../lib/clock.ts'
import { Listeners } from '../lib/listeners.ts'
import type { NodeLoad, NodeStore } from '../store/index.ts'
import type { Cluster } from './cluster.ts'
import { createWaker } from './create-waker.ts'
import { databaseClock } from './database-clock.ts'
import { keepLease } from './keep-lease.ts'
import { leaseTimes } from './lease-times.ts'
import { createPeers } from './peers.ts'
import { secretHash } from './sign.ts'

/** How often this node checks that it can reach the others. */
const CHECK_MS = 5000

export interface ClusterOptions {
  /** where other nodes reach this one; without it, it must be alone */
  readonly address: string | undefined
  /** shared by all nodes; without it, this one must be alone */
  readonly secret: string | undefined
  readonly version: string
  /** divides all times, for tests */
  readonly faster?: number
  readonly clock?: Clock
  load(): NodeLoad
  /** Called once if this machine's clock differs much from the database's. */
  onClockOff?(byMs: number): void
  onWaiting?(): void
  /** Called when another node cannot be reached any more. */
  readonly onUnreachable?: (nodeId: string) => void
}

/** Joins the cluster of a database; rejects with a Problem if this process does not belong to it. */
export async function createCluster(nodes: NodeStore, options: ClusterOptions): Promise<Cluster> {
  const { secret, version, load, faster = 1 } = options
  const address = secret === undefined ? undefined : options.address
  const system = options.clock ?? systemClock
  const ticking = { now: () => system.now(), ticks: () => ticksOf(system) }
  const clock = databaseClock(ticking, (byMs) => options.onClockOff?.(byMs))
  const lease = await keepLease(nodes, {
    self: { address, version, secretHash: secret === undefined ? undefined : secretHash(secret) },
    times: leaseTimes(faster),
    clock,
    load,
    ...(options.onWaiting && { onWaiting: options.onWaiting }),
  })
  const { onUnreachable } = options
  const peers = createPeers({ secret, clock, self: lease.id, nodes: lease.nodes, onUnreachable })
  const woken = new Listeners<[sessionId: string]>()
  lease.onGone(peers.forget)

  const checking = setInterval(() => {
    for (const { id, address: there } of lease.nodes())
      if (id !== lease.id() && there !== undefined) peers.wake(id, []).catch(() => {})
  }, CHECK_MS / faster)
  checking.unref()

  return {
    ...lease,
    clock,
    request: peers.request,
    authenticate: peers.authenticate,
    freeSlotsElsewhere: () =>
      lease
        .nodes()
        .filter(({ id }) => id !== lease.id())
        .reduce((free, { slots, rounds }) => free + Math.max(0, slots - rounds), 0),
    wake: createWaker(peers.wake),
    onWoken: (listener) => woken.subscribe(listener),
    woken: (sessions) => sessions.forEach((id) => woken.notify(id)),
    view: () => ({
      self: lease.id(),
      nodes: lease.nodes().map(({ id, address: there, version: its, sessions, rounds, seenAt }) => {
        const now = id === lease.id() ? load() : { sessions, rounds }
        return { id, address: there ?? null, version: its, sessions: now.sessions, rounds: now.rounds, seenAt }
      }),
      unreachable: peers.unreachable(),
    }),
    async leave(isIdle) {
      clearInterval(checking)
      await lease.leave(isIdle)
    },
  }
}
