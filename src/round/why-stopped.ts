import type { StopReason } from '../contract/event.ts'

/** Why a round's signal was aborted. `stopping`: the process ends and the round is left to the next owner. */
export type WhyStopped = 'cancel' | 'timeout' | 'stopping'

export const isStopping = (signal: AbortSignal): boolean => signal.aborted && signal.reason === 'stopping'

export function stopReasonOf(signal: AbortSignal): Extract<StopReason, 'cancelled' | 'timeout'> | null {
  if (!signal.aborted) return null
  return signal.reason === 'timeout' ? 'timeout' : 'cancelled'
}
