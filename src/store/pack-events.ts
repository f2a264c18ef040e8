import type { NewEvent, StoredEvent } from '../contract/event.ts'

type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: unknown, ms?: number]

/** Events of one row; a change with more is several rows, so that a page of it is read without the rest. */
export const ROW_EVENTS = 256

/** The events of a change as the bodies of its rows. */
export function packRows(events: readonly NewEvent[]): string[] {
  const bodies: string[] = []
  for (let from = 0; from < events.length; from += ROW_EVENTS) bodies.push(pack(events.slice(from, from + ROW_EVENTS)))
  return bodies
}

/** Events as the body of one row, without session and numbers. */
function pack(events: readonly NewEvent[]): string {
  return JSON.stringify(
    events.map(({ id, type, v, at, requestId, data, ms }): Packed => {
      return ms === undefined ? [id, type, v, at, requestId, data] : [id, type, v, at, requestId, data, ms]
    }),
  )
}

export function unpack(body: string, sessionId: string, firstSeq: number): StoredEvent[] {
  const packed = JSON.parse(body) as Packed[]
  const events = new Array<StoredEvent>(packed.length)
  for (let i = 0; i < packed.length; i++) {
    const [id, type, v, at, requestId, data, ms] = packed[i] as Packed
    const event = { id, sessionId, seq: firstSeq + i, type, v, at, requestId, data } as StoredEvent
    events[i] = ms === undefined ? event : { ...event, ms }
  }
  return events
}

/** The first `n` events of a packed row. */
export function packedHead(body: string, n: number): string {
  return JSON.stringify((JSON.parse(body) as Packed[]).slice(0, n))
}
