import { monitorEventLoopDelay } from 'node:perf_hooks'
import { DECISIONS, FINISH_REASONS, OUTCOMES, PROTOCOLS, STOP_REASONS } from '../contract/outcome.ts'
import { counter, firstFew, histogram, known, oneOf, reading } from './exposition.ts'
import { METRICS } from './names.ts'
import { RETRY_LABELS } from './retry-label.ts'

/** Current values, read at each scrape. */
export interface Gauges {
  streams(): number
  roundsRunning(): number
  roundsQueued(): number
  sessionsLive(): number
  spansLost(): number
  nodes(): number
  /** in seconds */
  leaseLeft(): number
}

export interface MetricsOptions {
  readonly version: string
  /** Whether a model with this key exists; others count as `other`. */
  knownModel(key: string): boolean
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const LONG = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300]
const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const MOST_ROUTES = 200
const MOST_CODES = 64

/** All metrics; no label contains an id, or text of a model or user. */
export function createInstruments(gauges: Gauges, { version, knownModel }: MetricsOptions) {
  const protocol = oneOf('protocol', PROTOCOLS)
  const model = known('model', knownModel)
  const route = firstFew('route', /^[\w/:.*{}-]{1,100}$/, MOST_ROUTES)

  const counted = {
    roundsStarted: counter(METRICS.roundsStarted, protocol),
    roundsEnded: counter(METRICS.roundsEnded, protocol, oneOf('finish_reason', FINISH_REASONS)),
    roundDuration: histogram(METRICS.roundDuration, LONG),
    turns: counter(METRICS.turns, model, oneOf('stop_reason', STOP_REASONS)),
    turnDuration: histogram(METRICS.turnDuration, LONG),
    turnRetries: counter(METRICS.turnRetries, oneOf('reason', RETRY_LABELS)),
    toolCalls: counter(METRICS.toolCalls, oneOf('outcome', OUTCOMES)),
    toolDuration: histogram(METRICS.toolDuration, SHORT),
    tokens: counter(METRICS.tokens, model, oneOf('direction', ['input', 'output'])),
    cost: counter(METRICS.cost),
    approvals: counter(METRICS.approvals, oneOf('decision', DECISIONS)),
    stored: counter(METRICS.events),
    requests: counter(METRICS.requests, oneOf('method', METHODS), route, known('status', isStatus)),
    requestDuration: histogram(METRICS.requestDuration, SHORT, route),
    rejected: counter(METRICS.rejected, firstFew('code', /^[A-Z][A-Z_]{0,39}$/, MOST_CODES)),
    readersDropped: counter(METRICS.readersDropped),
    jobsParked: counter(METRICS.jobsParked),
    takeovers: counter(METRICS.takeovers),
  }
  const lag = eventLoopLag()
  let lagNow = { mean: 0, max: 0 }
  const read = [
    reading(METRICS.info, 'gauge', () => 1, { version }),
    reading(METRICS.streams, 'gauge', gauges.streams),
    reading(METRICS.roundsRunning, 'gauge', gauges.roundsRunning),
    reading(METRICS.roundsQueued, 'gauge', gauges.roundsQueued),
    reading(METRICS.sessionsLive, 'gauge', gauges.sessionsLive),
    reading(METRICS.nodes, 'gauge', gauges.nodes),
    reading(METRICS.leaseLeft, 'gauge', gauges.leaseLeft),
    reading(METRICS.spansLost, 'counter', gauges.spansLost),
    reading(METRICS.memory, 'gauge', () => process.memoryUsage.rss()),
    reading(METRICS.cpu, 'counter', cpuSeconds),
    reading(METRICS.lagMean, 'gauge', () => lagNow.mean),
    reading(METRICS.lagMax, 'gauge', () => lagNow.max),
  ]

  return {
    ...counted,
    text(): string {
      lagNow = lag.take()
      return [...Object.values(counted), ...read].map((family) => family.text()).join('')
    },
    close: lag.stop,
  }
}

const isStatus = (status: string): boolean => /^[1-5]\d\d$/.test(status)

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

const RESOLUTION_MS = 20
const NANOSECONDS = 1e9

/** The event loop lag since the last call; measuring starts with the first call. */
function eventLoopLag(): { take(): { mean: number; max: number }; stop(): void } {
  let monitor: ReturnType<typeof monitorEventLoopDelay> | undefined
  return {
    take() {
      if (!monitor) {
        monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
        monitor.enable()
        return { mean: 0, max: 0 }
      }
      const { mean, max, count } = monitor
      monitor.reset()
      return count === 0 ? { mean: 0, max: 0 } : { mean: late(mean), max: late(max) }
    },
    stop: () => void monitor?.disable(),
  }
}

/** The measured time between two ticks includes the intended interval. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000)
