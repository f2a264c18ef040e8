import { ALWAYS } from '../contract/lease.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { NodeLoad } from '../store/index.ts'
import type { Cluster } from './cluster.ts'

/** The cluster of a process that has its database to itself. */
export function soleCluster(clock: Clock, version: string, load: () => NodeLoad): Cluster {
  const id = newId()
  return {
    ...ALWAYS,
    id: () => id,
    cluster: id,
    clock,
    living: () => 1,
    knownToAll: () => Infinity,
    freeSlotsElsewhere: () => 0,
    leftMs: () => Infinity,
    onGone: () => () => {},
    wake: () => {},
    onWoken: () => () => {},
    woken: () => {},
    request: async (nodeId) => Promise.reject(new Error(`there is no node ${nodeId}`)),
    authenticate: () => undefined,
    view() {
      const { sessions, rounds } = load()
      const self = { id, address: null, version, sessions, rounds, seenAt: clock.now() }
      return { self: id, nodes: [self], unreachable: [] }
    },
    leave: async () => {},
  }
}
