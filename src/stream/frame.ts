import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'

/** What a follower gets: a fact that is stored, a live delta of a turn, or, as the last of all, that it was dropped. */
export type Frame = EventFrame | { readonly kind: 'pulse'; readonly pulse: Pulse } | Dropped

export interface EventFrame {
  readonly kind: 'event'
  readonly event: StoredEvent
  /** where several have the same frame: JSON that was made of it, see `json-once.ts` */
  readonly made?: Map<string, { readonly given: string; readonly json: string }>
}

/** The follower did not keep up. Nothing is lost: it can come back with the last number it has. */
export interface Dropped {
  readonly kind: 'dropped'
  readonly reason: 'slow_reader'
}

export const DROPPED: Dropped = { kind: 'dropped', reason: 'slow_reader' }

/** What an object costs beside its text. */
const OVERHEAD = 100
const DEEPEST = 8

/** Roughly how many characters a frame keeps in memory. */
export function charsOf(frame: Frame): number {
  if (frame.kind === 'event') return OVERHEAD + charsIn(frame.event.data, 0)
  return OVERHEAD + (frame.kind === 'pulse' && frame.pulse.type === 'delta' ? frame.pulse.text.length : 0)
}

function charsIn(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 0
  let sum = 0
  for (const part of Object.values(value)) sum += charsIn(part, depth + 1)
  return sum
}
