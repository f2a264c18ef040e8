import type { Cluster } from './cluster/index.ts'
import type { Rooms } from './config/index.ts'
import type { Shares } from './lib/fair-share.ts'
import { heapPercent } from './lib/heap.ts'
import { VERSION } from './lib/version.ts'
import type { Models } from './model/index.ts'
import type { Coordinator } from './round/index.ts'
import { createMetrics, type Metrics, type Tracing } from './telemetry/index.ts'

/** What is measured besides what events tell. */
export function metricsOf(
  models: Models,
  coordinator: Coordinator,
  streams: Shares,
  tracing: Tracing,
  cluster: Cluster,
): Metrics {
  const { stats } = coordinator
  return createMetrics(
    {
      streams: () => streams.taken,
      roundsRunning: () => stats().running,
      roundsQueued: () => stats().queued,
      sessionsLive: () => stats().live,
      spansLost: tracing.lost,
      nodes: cluster.living,
      leaseLeft: () => cluster.leftMs() / 1000,
    },
    { version: VERSION, knownModel: models.known },
  )
}

/** Running rounds finish, and new ones wait until there is memory. */
export function memoryPressure({ memoryPercent }: Rooms['coordinator']): () => string | undefined {
  const percent = heapPercent()
  return () =>
    percent() > memoryPercent
      ? `Memory is short (limit MEMORY_PERCENT, ${memoryPercent}); running answers finish first. Try again soon.`
      : undefined
}
