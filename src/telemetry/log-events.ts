import type { StoredEvent } from '../contract/event.ts'
import { happenedElsewhere } from './happened-elsewhere.ts'
import type { Log } from './log.ts'
import { retryLabel } from './retry-label.ts'

/** Logs the events of a commit that concern an operator. */
export function logEvents(log: Log): (sessionId: string, events: readonly StoredEvent[]) => void {
  return (sessionId, events) => {
    if (happenedElsewhere(events)) return
    for (const event of events) logEvent(log, sessionId, event)
  }
}

function logEvent(log: Log, sessionId: string, event: StoredEvent): void {
  if (event.requestId === null) return
  const ids = { sessionId, requestId: event.requestId }
  switch (event.type) {
    case 'round.started':
      return log.debug('round_started', { ...ids, actorId: event.data.actor.id, protocol: event.data.protocol })
    case 'round.waiting':
      return log.info('round_waiting', { ...ids, count: event.data.callIds.length })
    case 'round.resumed':
      if (event.data.reason === 'takeover') log.warn('round_taken_over', { ...ids, count: event.data.n })
      return
    case 'round.ended': {
      const { finishReason, usage, cost } = event.data
      const how = finishReason === 'error' || finishReason === 'timeout' ? log.warn : log.info
      const sums = { inputTokens: usage.input, outputTokens: usage.output, costMicrodollars: cost }
      return how('round_ended', { ...ids, finishReason, ...sums })
    }
    case 'turn.retried':
      return log.warn('turn_retried', {
        ...ids,
        reason: retryLabel(event.data.reason),
        attempt: event.data.attempt,
      })
    case 'turn.ended': {
      const { stopReason, durationMs } = event.data
      if (stopReason === 'error' || stopReason === 'timeout') {
        log.warn('turn_failed', { ...ids, reason: stopReason, durationMs })
      }
      return
    }
    case 'tool.result':
      if (event.data.effect === 'unknown') {
        log.warn('effect_unknown', { ...ids, callId: event.data.callId, outcome: event.data.outcome })
      }
      return
    default:
      return
  }
}
