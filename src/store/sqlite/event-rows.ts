import type { NewEvent, StoredEvent } from '../../contract/event.ts'
import { Problem } from '../../contract/problem.ts'

/** Room for 67 million events in each of 134 million sessions, inside the integers JavaScript counts exactly. */
const SESSION = 2 ** 26

/** The last number an event can have. */
export const MAX_SEQ = SESSION - 1

export function eventKey(session: number, seq: number): number {
  if (seq > MAX_SEQ)
    throw new Problem('VALIDATION_ERROR', `A session holds at most ${MAX_SEQ} events; start a new one.`)
  return session * SESSION + seq
}

export function seqOfKey(key: number): number {
  return key % SESSION
}

type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: unknown, ms?: number]

export function pack(events: readonly NewEvent[]): string {
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

/** The first `n` events of a packed row, for cutting a row in two. */
export function packedHead(body: string, n: number): string {
  return JSON.stringify((JSON.parse(body) as Packed[]).slice(0, n))
}
