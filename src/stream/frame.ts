import type { StoredEvent } from '../contract/event.ts'
import type { Pulse } from '../contract/pulse.ts'

/** What a follower gets: a stored event, a live delta of a turn, or at the end that it was dropped. */
export type Frame = EventFrame | { readonly kind: 'pulse'; readonly pulse: Pulse } | Dropped

export interface EventFrame {
  readonly kind: 'event'
  readonly event: StoredEvent
  /** the JSON that was made of it, if several followers share the frame; see `jsonOnce` */
  readonly made?: Map<string, { readonly given: string; readonly json: string }>
}

/** The follower was too slow; it can continue from the last event it has. */
export interface Dropped {
  readonly kind: 'dropped'
  readonly reason: 'slow_reader'
}

export const DROPPED: Dropped = { kind: 'dropped', reason: 'slow_reader' }

/** Characters counted for an object besides its text. */
const OVERHEAD = 100
const DEEPEST = 8

/** About how many characters a frame holds in memory. */
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

/** Makes the JSON of an event once for all followers of the same `variant`, as long as `given` is the same too. */
export function jsonOnce({ made }: EventFrame, variant: string, given: string, make: () => string): string {
  const found = made?.get(variant)
  if (found?.given === given) return found.json
  const json = make()
  made?.set(variant, { given, json })
  return json
}
