import type { StoredEvent } from '../contract/event.ts'
import { happenedElsewhere } from './happened-elsewhere.ts'
import type { Outcome, Protocol } from '../contract/outcome.ts'
import { createInstruments, type Gauges, type MetricsOptions } from './instruments.ts'
import { BoundedMap } from './bounded-map.ts'
import { retryLabel } from './retry-label.ts'

const MOST_ROUNDS = 10_000

export type Metrics = ReturnType<typeof createMetrics>

/** What is remembered of a round until it ends. */
interface OpenRound {
  readonly requestId: string
  readonly protocol: Protocol
  model: string
  runningMs: number
  lastAt: number
  rests: boolean
}

/** What was answered since the start, in numbers; times are driving time, without rest. */
export interface Summary {
  /** answers being written now */
  readonly activeStreams: number
  readonly totalRequestsProcessed: number
  readonly totalStreamingTimeMs: number
  readonly averageResponseTimeMs: number
  /** the share that ended with an error, 0 to 1 */
  readonly errorRate: number
  readonly memoryUsage: { readonly heapUsed: number; readonly heapTotal: number }
}

export function createMetrics(gauges: Gauges, options: MetricsOptions) {
  const instruments = createInstruments(gauges, options)
  const ended = { rounds: 0, errors: 0, ms: 0, timed: 0 }
  /** By session, which has one round at a time. */
  const rounds = new BoundedMap<OpenRound>(MOST_ROUNDS)

  /** Models that Segno asks for itself, by session. */
  const asked = new BoundedMap<string>(MOST_ROUNDS)

  function count(sessionId: string, event: StoredEvent): void {
    const found = rounds.get(sessionId)
    const round = found?.requestId === event.requestId ? found : undefined
    if (round) countTime(round, event)
    switch (event.type) {
      case 'round.started':
        instruments.roundsStarted.add(1, event.data.protocol)
        rounds.set(sessionId, openRound(event))
        return
      case 'round.resumed':
        if (event.data.reason === 'takeover') instruments.takeovers.add(1)
        return
      case 'round.ended':
        // A round that an earlier process started is counted, but its duration is unknown.
        instruments.roundsEnded.add(1, round?.protocol ?? event.data.unstarted?.protocol ?? '', event.data.finishReason)
        instruments.cost.add(event.data.cost)
        ended.rounds += 1
        if (event.data.finishReason === 'error') ended.errors += 1
        if (!round) return
        ended.ms += round.runningMs
        ended.timed += 1
        instruments.roundDuration.observe(round.runningMs / 1000)
        rounds.delete(sessionId)
        return
      case 'turn.started':
        if (round) round.model = event.data.model
        return
      case 'turn.retried':
        instruments.turnRetries.add(1, retryLabel(event.data.reason))
        return
      case 'turn.ended': {
        const { stopReason, usage, durationMs } = event.data
        instruments.turns.add(1, round?.model ?? '', stopReason)
        instruments.tokens.add(usage.input, round?.model ?? '', 'input')
        instruments.tokens.add(usage.output, round?.model ?? '', 'output')
        if (stopReason !== 'cancelled') instruments.turnDuration.observe(durationMs / 1000)
        return
      }
      case 'model.asked':
        asked.set(sessionId, event.data.model)
        return
      case 'model.answered': {
        const { usage, cost = 0 } = event.data
        const model = asked.get(sessionId) ?? ''
        asked.delete(sessionId)
        instruments.tokens.add(usage.input, model, 'input')
        instruments.tokens.add(usage.output, model, 'output')
        // In a round it is part of what the round costs.
        if (event.requestId === null) instruments.cost.add(cost)
        return
      }
      case 'tool.result':
        instruments.toolCalls.add(1, event.data.outcome)
        if (RAN.has(event.data.outcome)) instruments.toolDuration.observe(event.data.durationMs / 1000)
        return
      case 'approval.decided':
        instruments.approvals.add(1, event.data.decision)
        return
      case 'session.deleted':
        rounds.delete(sessionId)
        return
      default:
        return
    }
  }

  return {
    /** Counts stored events; to be called once per commit. */
    see(sessionId: string, events: readonly StoredEvent[]): void {
      instruments.stored.add(events.length)
      if (happenedElsewhere(events)) return
      for (const event of events) count(sessionId, event)
    },
    /** `route` is a route's pattern, never the requested path. */
    request(method: string, route: string, status: number, seconds: number): void {
      instruments.requests.add(1, method, route, String(status))
      instruments.requestDuration.observe(seconds, route)
    },
    rejected: (code: string): void => instruments.rejected.add(1, code),
    dropped: (): void => instruments.readersDropped.add(1),
    jobParked: (): void => instruments.jobsParked.add(1),
    summary(): Summary {
      const { heapUsed, heapTotal } = process.memoryUsage()
      return {
        activeStreams: gauges.roundsRunning(),
        totalRequestsProcessed: ended.rounds,
        totalStreamingTimeMs: ended.ms,
        averageResponseTimeMs: ended.timed === 0 ? 0 : ended.ms / ended.timed,
        errorRate: ended.rounds === 0 ? 0 : ended.errors / ended.rounds,
        memoryUsage: { heapUsed, heapTotal },
      }
    },
    text: instruments.text,
    close: instruments.close,
  }
}

/** Outcomes of calls that ended by themselves or at their deadline. */
const RAN: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'error', 'timeout'])

function openRound({ data, at }: Extract<StoredEvent, { type: 'round.started' }>): OpenRound {
  const { requestId, protocol, model } = data
  return { requestId, protocol, model, runningMs: 0, lastAt: at, rests: false }
}

function countTime(round: OpenRound, { type, at, ms }: StoredEvent): void {
  if (ms !== undefined) round.runningMs += ms
  else if (!round.rests && type !== 'round.resumed') round.runningMs += Math.max(0, at - round.lastAt)
  round.lastAt = at
  if (type === 'round.waiting' || type === 'round.paused') round.rests = true
  else if (type === 'round.resumed') round.rests = false
}
