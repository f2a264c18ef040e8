import type { StoredEvent } from '../contract/event.ts'
import type { Outcome } from '../contract/outcome.ts'
import { roundSpan, toolSpan, turnSpan, type DescribeModel, type OpenRound, type Span } from './make-spans.ts'
import { Newest } from './newest.ts'

const MOST_ROUNDS = 10_000

/** Turns stored events into spans: one for each round, one for each turn in it, one for each call that ran. */
export function createSpans(emit: (span: Span) => void, describe: DescribeModel = splitKey) {
  /** One for each session: it has one round at a time. */
  const rounds = new Newest<OpenRound>(MOST_ROUNDS)

  /** A round that was not seen starting was left by an earlier process. */
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
        // One that never started took no time; another one may be open.
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
      // A fork begins by closing the round it inherited: none of that happened again.
      if (events[0]?.type === 'session.forked') return
      for (const event of events) see(sessionId, event)
    },
    /** rounds that are remembered because they have not ended */
    open: (): number => rounds.size,
  }
}

/**
 * Only a call that was started has one of these outcomes, also where an earlier process started it. Its tool was a
 * registered one, so the name is not something a model made up.
 */
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

/** `provider:model`, or a name that stands for both. */
function splitKey(key: string): { provider: string; model: string } {
  const colon = key.indexOf(':')
  return colon < 0 ? { provider: key, model: key } : { provider: key.slice(0, colon), model: key.slice(colon + 1) }
}
