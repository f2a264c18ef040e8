import type { EventData, EventType } from '../../contract/event.ts'
import { pageOf } from './read-answer.ts'
import type { Reached } from './reach.ts'

/** A stored event as it is on the wire; the output of a tool only where it was asked for. */
export type WireEvent = {
  [T in EventType]: {
    readonly seq: number
    readonly type: T
    readonly id: string
    readonly at: string
    readonly requestId: string | null
    readonly data: T extends 'tool.result' ? Omit<EventData[T], 'content'> & { content?: string } : EventData[T]
  }
}[EventType]

export interface EventWish {
  /** only of this round */
  readonly round?: string
  readonly outputs?: boolean
  /** not after this one */
  readonly upTo?: number
}

/** Small enough that large events fit into memory. */
const AT_ONCE = 100

/** The log of a session from its beginning, a page at a time. */
export async function* wireEvents(
  { ask }: Reached,
  sessionId: string,
  wish: EventWish = {},
): AsyncGenerator<WireEvent> {
  const { round, outputs = false, upTo = Infinity } = wish
  const narrowed = `${round === undefined ? '' : `&round=${encodeURIComponent(round)}`}${outputs ? '&outputs=1' : ''}`
  for (let after: number | null = 0; after !== null && after < upTo;) {
    const path: string = `/api/sessions/${encodeURIComponent(sessionId)}/events?after=${after}&limit=${AT_ONCE}${narrowed}`
    const { items, next } = await pageOf<WireEvent, number>(await ask('GET', path))
    for (const event of items) if (event.seq <= upTo) yield event
    after = next
  }
}
