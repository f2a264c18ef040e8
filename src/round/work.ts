import type { Round, SessionState } from '../session/index.ts'
import { atHand, type AtHand } from './at-hand.ts'
import type { Hands } from './hands.ts'
import type { Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'

/** What a round works with. `signal` aborts when the round must stop; see `WhyStopped`. */
export interface Work {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  readonly hands: Hands
  readonly signal: AbortSignal
}

/** What a step of it works with. */
export type StepWork = Work & AtHand

export async function workOfStep(work: Work): Promise<StepWork> {
  return { ...work, ...(await atHand(work.session.state, roundOf(work).started, work.hands)) }
}

/** The round that is being worked on. */
export function roundOf({ session }: { session: { readonly id: string; readonly state: SessionState } }): Round {
  const { round } = session.state
  if (!round) throw new Error(`session ${session.id} has no open round`)
  return round
}
