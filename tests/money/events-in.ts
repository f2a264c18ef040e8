import type { StoredEvent } from '../../src/contract/event.ts'

type Packed = [id: string, type: string, v: number, at: number, requestId: string | null, data: unknown]

/** The events of one commit, from the body of its row. */
export const eventsIn = (body: string, sessionId: string, first: number): StoredEvent[] =>
  (JSON.parse(body) as Packed[]).map(
    ([id, type, v, at, requestId, data], i) =>
      ({ id, type, v, at, requestId, data, sessionId, seq: first + i }) as StoredEvent,
  )

export function allNoted(stored: number, noted: number): void {
  if (stored !== noted) throw new Error(`${stored} commits are stored, ${noted} were noted`)
}
