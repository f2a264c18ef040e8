import type { StopReason } from '../contract/event.ts'
import { Problem } from '../contract/problem.ts'

/** Another owner has the session now: stop, store nothing, start nothing. */
export class Fenced extends Error {
  override name = 'Fenced'
}

/** The process is stopping: leave the round as the log has it. */
export class Stopping extends Error {
  override name = 'Stopping'
}

/** Why a round's signal was aborted. `stopping`: the process ends and the round is left to the next owner. */
export type WhyStopped = 'cancel' | 'timeout' | 'stopping'

export const isStopping = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'stopping'

export function stopReasonOf(signal: AbortSignal): Extract<StopReason, 'cancelled' | 'timeout'> | null {
  if (!signal.aborted) return null
  return signal.reason === 'timeout' ? 'timeout' : 'cancelled'
}

/** Said to whoever sends a message while Segno stops. */
export function stoppingProblem(cause?: Error): Problem {
  const why = 'Segno is stopping and takes no new messages; try again soon.'
  return new Problem('SHUTTING_DOWN', why, { retryAfterMs: 5000, ...(cause && { cause }) })
}
