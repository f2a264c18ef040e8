import type { StopReason } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'

/** Another owner has the session now: stop, store nothing, start nothing. */
export class Fenced extends Error {
  override name = 'Fenced'
}

/** The process stops and leaves the round to the next owner; `leftBehind`: a call with a possible effect did not stop. */
export class Stopping extends Error {
  override name = 'Stopping'
  readonly leftBehind: boolean

  constructor(message: string, { cause, leftBehind = false }: { cause?: unknown; leftBehind?: boolean } = {}) {
    super(message, { cause })
    this.leftBehind = leftBehind
  }
}

/** Checked before model calls and effects, which another node may be doing once the lease is over. */
export function checkMayAct({ mayAct }: { mayAct(): boolean }): void {
  if (!mayAct()) throw new Fenced('the lease of this node is over')
}

/** Why the signal of a round was aborted. */
export type WhyStopped = 'cancel' | 'timeout' | 'stopping'

export const isStopping = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'stopping'

export function stopReasonOf(signal: AbortSignal): Extract<StopReason, 'cancelled' | 'timeout'> | null {
  if (!signal.aborted) return null
  return signal.reason === 'timeout' ? 'timeout' : 'cancelled'
}

export function leaseProblem(): Problem {
  const why = 'This node could not renew its lease in the database and starts nothing; try again soon, or ask another.'
  return new Problem('STORE_UNAVAILABLE', why, { retryAfterMs: 2000 })
}

export function stoppingProblem(cause?: Error): Problem {
  const why = 'Segno is stopping and takes no new messages; try again soon.'
  return new Problem('SHUTTING_DOWN', why, { retryAfterMs: 5000, ...(cause && { cause }) })
}
