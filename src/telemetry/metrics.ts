import type { StoredEvent } from '../contract/event.ts'
import type { Outcome, Protocol } from '../contract/outcome.ts'
import { createInstruments, type Gauges, type MetricsOptions } from './instruments.ts'
import { Newest } from './newest.ts'
import { retryWord } from './retry-word.ts'

const MOST_ROUNDS = 10_000

export type Metrics = ReturnType<typeof createMetrics>

/** What must be remembered of a round until it ends. */
interface OpenRound {
  readonly requestId: string
  readonly protocol: Protocol
  model: string
  drivingMs: number
  lastAt: number
  rests: boolean
}

export function createMetrics(gauges: Gauges, options: MetricsOptions) {
  const of = createInstruments(gauges, options)
  /** One for each session: it has one round at a time. */
  const rounds = new Newest<OpenRound>(MOST_ROUNDS)

  function count(sessionId: string, event: StoredEvent): void {
    const found = rounds.get(sessionId)
    const round = found?.requestId === event.requestId ? found : undefined
    if (round) countTime(round, event)
    switch (event.type) {
      case 'round.started':
        of.roundsStarted.add(1, event.data.protocol)
        rounds.set(sessionId, openRound(event))
        return
      case 'round.ended':
        // A round that an earlier process started is counted, but nobody here knows how long it took.
        of.roundsEnded.add(1, round?.protocol ?? event.data.unstarted?.protocol ?? '', event.data.finishReason)
        of.cost.add(event.data.cost)
        if (round) of.roundDuration.observe(round.drivingMs / 1000)
        if (round) rounds.delete(sessionId)
        return
      case 'turn.started':
        if (round) round.model = event.data.model
        return
      case 'turn.retried':
        of.turnRetries.add(1, retryWord(event.data.reason))
        return
      case 'turn.ended': {
        const { stopReason, usage, durationMs } = event.data
        of.turns.add(1, round?.model ?? '', stopReason)
        of.tokens.add(usage.input, round?.model ?? '', 'input')
        of.tokens.add(usage.output, round?.model ?? '', 'output')
        if (stopReason !== 'cancelled') of.turnDuration.observe(durationMs / 1000)
        return
      }
      case 'tool.result':
        of.toolCalls.add(1, event.data.outcome)
        if (RAN.has(event.data.outcome)) of.toolDuration.observe(event.data.durationMs / 1000)
        return
      case 'approval.decided':
        of.approvals.add(1, event.data.decision)
        return
      case 'session.deleted':
        rounds.delete(sessionId)
        return
      default:
        return
    }
  }

  return {
    /** Counts what was stored; to be called once for each commit. */
    see(sessionId: string, events: readonly StoredEvent[]): void {
      of.stored.add(events.length)
      // A fork begins by closing the round it inherited: none of that happened again.
      if (events[0]?.type === 'session.forked') return
      for (const event of events) count(sessionId, event)
    },
    /** `route` is the pattern of a route, never the path that was asked for. */
    request(method: string, route: string, status: number, seconds: number): void {
      of.requests.add(1, method, route, String(status))
      of.requestDuration.observe(seconds, route)
    },
    rejected: (code: string): void => of.rejected.add(1, code),
    dropped: (): void => of.readersDropped.add(1),
    jobParked: (): void => of.jobsParked.add(1),
    /** Everything in the text format of Prometheus. */
    text: of.text,
    close: of.close,
  }
}

/** Outcomes of calls that ran until they stopped by themselves or at their deadline. */
const RAN: ReadonlySet<Outcome> = new Set<Outcome>(['ok', 'error', 'timeout'])

function openRound({ data, at }: Extract<StoredEvent, { type: 'round.started' }>): OpenRound {
  const { requestId, protocol, model } = data
  return { requestId, protocol, model, drivingMs: 0, lastAt: at, rests: false }
}

function countTime(round: OpenRound, { type, at, ms }: StoredEvent): void {
  if (ms !== undefined) round.drivingMs += ms
  else if (!round.rests && type !== 'round.resumed') round.drivingMs += Math.max(0, at - round.lastAt)
  round.lastAt = at
  if (type === 'round.waiting' || type === 'round.paused') round.rests = true
  else if (type === 'round.resumed') round.rests = false
}
