import type { Episode } from '../crash/plan.ts'

/** What a node of the cluster is told when it starts. */
export interface NodePlan {
  readonly name: string
  /** of the database, through what can be interrupted */
  readonly database: string
  readonly secret: string
  readonly port: number
  /** where the other nodes reach it, through what can be interrupted */
  readonly address: string
  /** addresses besides the loopback at which it is reached too */
  readonly listens: readonly string[]
  readonly home: string
  /** what the world outside knows the whole cluster by */
  readonly world: string
  readonly ledger: string
  readonly episodes: readonly Episode[]
  /** all times of the cluster are divided by it */
  readonly faster: number
  readonly drainMs: number
  /** it stops itself when it has stored that a call starts, and before it runs it */
  readonly stopsAtStart: boolean
}

/** What a node did to the store, in its order, and when. */
export type Deed = (
  | { readonly type: 'claim'; readonly head: number }
  | { readonly type: 'commit'; readonly expected: number; readonly events: number }
) & { readonly node: string; readonly at: number; readonly sessionId: string; readonly epoch: number }
