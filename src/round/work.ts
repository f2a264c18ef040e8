import type { Round, SessionState } from '../session/index.ts'
import type { Hands } from './hands.ts'
import type { Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'

/** What every step of a round works with. `signal` aborts when the round must stop; see `WhyStopped`. */
export interface Work {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  readonly hands: Hands
  readonly signal: AbortSignal
}

/** The round that is being worked on. */
export function roundOf({ session }: { session: { readonly id: string; readonly state: SessionState } }): Round {
  const { round } = session.state
  if (!round) throw new Error(`session ${session.id} has no open round`)
  return round
}
