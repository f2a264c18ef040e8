import type { ListStore, LogStore } from '../store/index.ts'
import { eventBody } from './dialects/event-body.ts'
import { advance, nowhere } from './dialects/place.ts'
import { roundSoFar } from './round-range.ts'
import type { EncoderOptions } from './wire.ts'

export interface EventPageOptions {
  readonly sessionId: string
  readonly after: number
  readonly limit: number
  readonly outputs: boolean
  readonly requestId?: string
  /** the last event */
  readonly upTo?: number
}

export interface EventPage {
  readonly items: readonly object[]
  /** the `after` of the next page; null at the end */
  readonly next: number | null
}

/** Stored events as the native stream shows them. */
export async function eventPage(
  store: LogStore & ListStore,
  options: EventPageOptions & EncoderOptions,
): Promise<EventPage> {
  const { sessionId, after, limit, requestId, upTo } = options
  const place = nowhere()
  for await (const before of roundSoFar(store, sessionId, after)) for (const event of before) advance(place, event)
  const events = await store.read(sessionId, { after, limit: limit + 1, ...(upTo !== undefined && { upTo }) })
  const items = events.slice(0, limit).flatMap((event) => {
    advance(place, event)
    return requestId === undefined || event.requestId === requestId ? [eventBody(event, place, options)] : []
  })
  return { items, next: events.length > limit ? after + limit : null }
}
