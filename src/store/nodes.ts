/**
 * The processes that share a database (not SQLite); one that restarts or was evicted joins as a new node. All times are
 * the database's.
 */
export interface NodeStore {
  /**
   * Adds a node; one without an address is refused while another lives. Rejects with Problem CONFIG_ERROR on a wrong
   * secret.
   */
  join(node: NewNode): Promise<Joined | Taken>
  /** Extends the lease to now + `leaseMs`, unless the node was evicted. */
  renew(
    id: string,
    leaseMs: number,
    load: NodeLoad,
  ): Promise<{ kind: 'renewed'; now: number; until: number } | { kind: 'evicted'; now: number }>
  /** Evicts every node whose lease has ended and returns their ids. */
  evict(): Promise<string[]>
  /** Ends a node whose work is all done, so that others may take its sessions at once. */
  leave(id: string): Promise<void>
  /** All nodes that have neither left nor been evicted, oldest first, including those whose lease has ended. */
  nodes(): Promise<NodeList>
}

export interface NewNode {
  readonly id: string
  /** where other nodes reach it; without one it can only be alone */
  readonly address: string | undefined
  readonly version: string
  readonly leaseMs: number
  /** the ids this process had before, which are evicted at once */
  readonly replaces: readonly string[]
  /** of the secret all nodes share; a node without one has no address either */
  readonly secretHash: string | undefined
}

export interface Joined {
  readonly kind: 'joined'
  /** the id made by the first node that joined */
  readonly cluster: string
  /** the database's time */
  readonly now: number
  readonly until: number
}

/** Another node lives, and one of the two has no address. */
export interface Taken {
  readonly kind: 'taken'
  readonly by: string
  /** if true, only this node lacks an address */
  readonly hasAddress: boolean
  readonly now: number
  readonly until: number
}

export interface NodeLoad {
  readonly sessions: number
  readonly rounds: number
  /** how many rounds it can run at once */
  readonly slots: number
}

export interface NodeList {
  readonly now: number
  /** the schema version that every living node knows */
  readonly knownToAll: number
  readonly nodes: readonly NodeRow[]
}

export interface NodeRow extends NodeLoad {
  readonly id: string
  readonly address: string | undefined
  readonly version: string
  readonly joinedAt: number
  readonly seenAt: number
  readonly until: number
}
