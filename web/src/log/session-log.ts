import type { WireEvent } from '../../../src/client/index.ts'
import { foldRound } from './fold-round.ts'
import type { RoundPicture } from './round-picture.ts'

/** An entry of a conversation; one that did not change stays the same object. */
export type Item =
  | { readonly kind: 'round'; readonly key: string; readonly round: RoundPicture }
  | { readonly kind: 'event'; readonly key: string; readonly event: WireEvent }

/** A part of a log without gaps, grouped by round. */
export interface SessionLog {
  /** number of the first event that is loaded; events before it are on the server */
  readonly first: number
  /** number of the last one; 0 when there is none */
  readonly last: number
  readonly items: readonly Item[]
  readonly events: readonly WireEvent[]
  /** ids of events that were taken out of the conversation */
  readonly deleted: ReadonlySet<string>
}

export const roundsIn = ({ items }: SessionLog): RoundPicture[] =>
  items.flatMap((item) => (item.kind === 'round' ? [item.round] : []))

export const NO_LOG: SessionLog = { first: 1, last: 0, items: [], events: [], deleted: new Set() }

/** Adds events that follow the last one. What is known already is left out. */
export function append(log: SessionLog, events: readonly WireEvent[]): SessionLog {
  const fresh = events.filter(({ seq }) => seq > log.last)
  if (fresh.length === 0) return log
  const first = log.last === 0 ? (fresh[0]?.seq ?? 1) : log.first
  return grown(log, [...log.events, ...fresh], fresh, first)
}

/** Adds events that come before the first one. */
export function prepend(log: SessionLog, events: readonly WireEvent[]): SessionLog {
  const fresh = events.filter(({ seq }) => seq < log.first)
  const [start] = fresh
  return start ? grown(log, [...fresh, ...log.events], fresh, start.seq) : log
}

function grown(before: SessionLog, events: WireEvent[], fresh: readonly WireEvent[], first: number): SessionLog {
  const groups = group(events)
  const touched = new Set(fresh.map((event) => keyOf(event, groups.ownerOf)))
  const known = new Map(before.items.map((item) => [item.key, item]))
  const items = [...groups.byKey].map(([key, [head, ...rest]]): Item => {
    const same = known.get(key)
    if (same && !touched.has(key)) return same
    if (head?.requestId == null || !key.startsWith('round ')) return { kind: 'event', key, event: head as WireEvent }
    return { kind: 'round', key, round: foldRound(head.requestId, [head, ...rest]) }
  })
  const removed = fresh.flatMap((event) => (event.type === 'message.deleted' ? [event.data.target] : []))
  return {
    first,
    last: events.at(-1)?.seq ?? 0,
    items,
    events,
    deleted: removed.length === 0 ? before.deleted : new Set([...before.deleted, ...removed]),
  }
}

interface Groups {
  readonly byKey: Map<string, WireEvent[]>
  readonly ownerOf: Map<string, string>
}

function group(events: readonly WireEvent[]): Groups {
  const groups: Groups = { byKey: new Map(), ownerOf: new Map() }
  for (const event of events) {
    if (event.type === 'tool.call' && event.requestId !== null) groups.ownerOf.set(event.data.callId, event.requestId)
    const key = keyOf(event, groups.ownerOf)
    const members = groups.byKey.get(key)
    if (members) members.push(event)
    else groups.byKey.set(key, [event])
  }
  return groups
}

/** A later event about a call belongs to the round of the call. */
function keyOf(event: WireEvent, ownerOf: ReadonlyMap<string, string>): string {
  const round = event.type === 'tool.reconciled' ? ownerOf.get(event.data.callId) : event.requestId
  return round == null ? `event ${event.seq}` : `round ${round}`
}
