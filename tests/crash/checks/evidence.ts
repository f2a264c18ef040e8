import type { Delivery } from '../ledger.ts'
import type { Episode, Heard, State } from '../plan.ts'

/** All that is known about one home from outside: what was said to the world, what it saw happen, what is stored. */
export interface Evidence {
  /** what each life said, in order */
  readonly lives: readonly (readonly Heard[])[]
  readonly deliveries: readonly Delivery[]
  readonly state: State
  /** episodes that are over */
  readonly episodes: readonly Episode[]
}

/** `lost`: acknowledged and gone. `repeated`: done twice, or done where it was not to be. `stuck`: cannot go on. */
export type Harm = 'lost' | 'repeated' | 'stuck' | 'disordered'

export interface Violation {
  readonly harm: Harm
  /** the check that noticed */
  readonly check: string
  readonly what: string
}

export type Check = (evidence: Evidence) => Violation[]

/** The lines of one kind, over all lives. */
export function heardOf<T extends Heard['type']>({ lives }: Evidence, type: T): (Heard & { readonly type: T })[] {
  return lives.flat().filter((one): one is Heard & { readonly type: T } => one.type === type)
}
