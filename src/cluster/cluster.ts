import type { Lease } from '../contract/lease.ts'
import type { Clock } from '../lib/clock.ts'
import type { NodeRow } from '../store/index.ts'
import type { NodeRequest } from './peers.ts'
import type { SignedRequest } from './sign.ts'

/** This process as one of the nodes that share the database. */
export interface Cluster extends Lease {
  /** This node's id, which changes when it loses its lease. */
  id(): string
  /** the cluster's id, which marks what belongs to it outside of the database */
  readonly cluster: string
  /** the database's time */
  readonly clock: Clock
  /** How many nodes live, including this one. */
  living(): number
  /** The schema version that every living node knows. */
  knownToAll(): number
  /** How many more rounds the other nodes could run, by their last report. */
  freeSlotsElsewhere(): number
  /** How long this node may act without another renewal. */
  leftMs(): number
  /** Calls `listener` when a node is gone and its sessions need an owner; returns a function that stops it. */
  onGone(listener: (nodeId: string) => void): () => void
  /** Tells a session's owner that an input waits; if that gets lost, the owner finds it within a second. */
  wake(nodeId: string, sessionId: string): void
  /** Calls `listener` with a session of this node for which another node stored an input. */
  onWoken(listener: (sessionId: string) => void): () => void
  /** Called with the sessions another node named in a wake request. */
  woken(sessions: readonly string[]): void
  /** Sends a signed request to another node; rejects if it cannot be reached. */
  request(nodeId: string, path: string, request?: NodeRequest): Promise<Response>
  /** The id of the node that sent a request; undefined if it is not of this cluster. */
  authenticate(header: (name: string) => string | undefined, request: SignedRequest): string | undefined
  view(): ClusterView
  /** Stops renewing; `isIdle` says that no work is left that another node could repeat. */
  leave(isIdle: boolean): Promise<void>
}

export interface ClusterView {
  readonly self: string
  readonly nodes: readonly NodeView[]
  /** nodes that did not answer their last request */
  readonly unreachable: readonly string[]
}

interface NodeView extends Pick<NodeRow, 'id' | 'version' | 'sessions' | 'rounds' | 'seenAt'> {
  readonly address: string | null
}
