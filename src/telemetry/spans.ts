import type { StoredEvent } from '../contract/event.ts'
import { happenedElsewhere } from './happened-elsewhere.ts'
import type { Outcome } from '../contract/outcome.ts'
import { roundSpan, toolSpan, turnSpan, type DescribeModel, type OpenRound, type Span } from './make-spans.ts'
import { BoundedMap } from './bounded-map.ts'

const MOST_ROUNDS = 10_000

/** Turns stored events into spans of rounds, turns and executed calls. */
export function createSpans(emit: (span: Span) => void, describe: DescribeModel) {
  /** By session, which has one round at a time. */
  const rounds = new BoundedMap<OpenRound>(MOST_ROUNDS)

  /** A round whose start was not seen comes from an earlier process. */
  function roundOf(sessionId: string, event: StoredEvent): OpenRound {
    const found = rounds.get(sessionId)
    if (found && found.requestId === event.requestId) return found
    const round = openRound(event)
    rounds.set(sessionId, round)
    return round
  }

  function see(sessionId: string, event: StoredEvent): void {
    if (event.type === 'session.deleted') rounds.delete(sessionId)
    if (event.requestId === null) return
    switch (event.type) {
      case 'round.started':
      case 'round.resumed':
        roundOf(sessionId, event)
        return
      case 'turn.started': {
        const round = roundOf(sessionId, event)
        round.model = event.data.model
        round.turnStartAt = event.at
        round.retries = 0
        return
      }
      case 'turn.retried': {
        const round = roundOf(sessionId, event)
        round.model = event.data.model
        round.retries += 1
        return
      }
      case 'turn.ended': {
        const round = roundOf(sessionId, event)
        emit(turnSpan(round, sessionId, event, describe))
        round.turnStartAt = undefined
        return
      }
      case 'tool.started':
        roundOf(sessionId, event).calls.set(event.data.callId, event.at)
        return
      case 'tool.result': {
        const round = roundOf(sessionId, event)
        const { callId, outcome } = event.data
        if (round.calls.has(callId) || RAN.has(outcome)) emit(toolSpan(round, sessionId, event))
        else round.idleCalls += 1
        round.calls.delete(callId)
        return
      }
      case 'round.ended':
        // A round that never started took no time, and another one may be open.
        if (event.data.unstarted) return
        emit(roundSpan(roundOf(sessionId, event), sessionId, event, describe))
        rounds.delete(sessionId)
        return
      default:
        return
    }
  }

  return {
    see(sessionId: string, events: readonly StoredEvent[]): void {
      if (happenedElsewhere(events)) return
      for (const event of events) see(sessionId, event)
    },
    open: (): number => rounds.size,
  }
}

/** Outcomes only started calls have, so their tool exists and its name is not made up by a model. */
const RAN: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'error', 'timeout', 'unknown'])

function openRound(event: StoredEvent): OpenRound {
  const started = event.type === 'round.started' ? event.data : undefined
  return {
    requestId: event.requestId ?? '',
    startAt: event.at,
    protocol: started?.protocol,
    takenOver: started === undefined,
    model: started?.model,
    turnStartAt: undefined,
    retries: 0,
    calls: new Map(),
    idleCalls: 0,
  }
}
