import type { EventOf, EventType, StoredEvent } from '../../../src/contract/event.ts'
import type { RoundStarted } from '../../../src/contract/round-started.ts'

/** The events of one round, and what a reader who knows nothing of the loop can say of it at once. */
export interface RoundLog {
  readonly requestId: string
  readonly started: RoundStarted
  readonly events: readonly StoredEvent[]
  readonly ended: EventOf<'round.ended'> | undefined
  /** the session is a fork, and the round was open where it was made */
  readonly closedByFork: boolean
}

export function roundLogs(log: readonly StoredEvent[]): RoundLog[] {
  return log.flatMap((start) => {
    if (start.type !== 'round.started') return []
    const events = log.filter((event) => event.requestId === start.requestId)
    const ended = events.find((event) => event.type === 'round.ended')
    const last = ended?.seq ?? Infinity
    const closedByFork = log.some(({ type, seq }) => type === 'session.forked' && seq > start.seq && seq < last)
    return [{ requestId: start.data.requestId, started: start.data, events, ended, closedByFork }]
  })
}

export function ofType<T extends EventType>(events: readonly StoredEvent[], type: T): EventOf<T>[] {
  return events.filter((event) => event.type === type) as readonly StoredEvent[] as EventOf<T>[]
}

/** One tool use with everything the log says about it. */
export interface UseLog {
  readonly callId: string
  readonly name: string
  readonly turn: number
  /** of the assistant message */
  readonly seq: number
  readonly calls: readonly EventOf<'tool.call'>[]
  readonly starts: readonly EventOf<'tool.started'>[]
  readonly handedOver: readonly EventOf<'tool.submitted'>[]
  readonly results: readonly EventOf<'tool.result'>[]
  readonly requests: readonly EventOf<'approval.requested'>[]
  readonly decisions: readonly EventOf<'approval.decided'>[]
}

export function usesOf(events: readonly StoredEvent[]): UseLog[] {
  return ofType(events, 'message.assistant').flatMap((message) =>
    message.data.content.flatMap((part) => {
      if (part.type !== 'tool_use') return []
      const mine = events.filter((event) => 'callId' in event.data && event.data.callId === part.id)
      return [
        {
          callId: part.id,
          name: part.name,
          turn: message.data.turn,
          seq: message.seq,
          calls: ofType(mine, 'tool.call'),
          starts: ofType(mine, 'tool.started'),
          handedOver: ofType(mine, 'tool.submitted'),
          results: ofType(mine, 'tool.result'),
          requests: ofType(mine, 'approval.requested'),
          decisions: ofType(mine, 'approval.decided'),
        },
      ]
    }),
  )
}
