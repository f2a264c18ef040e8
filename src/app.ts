import { join } from 'node:path'
import { createLife } from './app-life.ts'
import { assembleTools, secretsOf, serversOf, toolDoors, type ToolParts } from './app-tools.ts'
import { createBudgets, createFailedSignIns, createKeys, createRate } from './account/index.ts'
import { createAuditLog } from './audit/index.ts'
import { createFollowing } from './channel/library/index.ts'
import { readConfig, roomsOf, type Config, type Rooms } from './config/index.ts'
import { LOCAL_TENANT } from './contract/actor.ts'
import type { Policy } from './contract/policy.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { createJobService, createUpkeep, startJobs, watchReadiness } from './job/index.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { fairShare, type Shares } from './lib/fair-share.ts'
import { heapPercent } from './lib/heap.ts'
import { createRedactor } from './lib/redactor.ts'
import {
  chooseEmbedder,
  chooseModels,
  createBreakers,
  type LanguageModel,
  type Models,
  type Script,
} from './model/index.ts'
import { joinPolicies, readPolicy } from './policy/index.ts'
import {
  createCoordinator,
  createFiles,
  createReadings,
  createRounds,
  createSessions,
  type Coordinator,
  type Hands,
  checkStored,
} from './round/index.ts'
import { VERSION } from './lib/version.ts'
import { facadeOf, type Segno, type SegnoOptions } from './segno.ts'
import type { Store } from './store/index.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { createHub, followEncoded, type StreamOptions, type WireStream } from './stream/index.ts'
import { createLog, createMetrics, createTracing, logEvents, type Metrics, type Tracing } from './telemetry/index.ts'
import { mcpService } from './tool/index.ts'
import { createWorkspaces } from './workspace/index.ts'

/** What a test may put in the place of a real part. */
export interface Parts {
  readonly clock?: Clock
  store?(open: () => Store): Store
  /** how hosts are found and reached */
  readonly ways?: ToolParts['ways']
  hands?(hands: Hands): Hands
  /** opened only to look: no round goes on, and no job is done */
  readonly looks?: boolean
}

export async function createSegno(options: SegnoOptions = {}): Promise<Segno> {
  return compose(options, {})
}

/** For a command that reads what is there: nothing happens that nobody asked for. */
export async function openToLook(options: SegnoOptions = {}): Promise<Segno> {
  return compose(options, { looks: true })
}

/** Opens the database of this configuration, which brings it up to date. */
export async function migrateDatabase(env: Readonly<Record<string, string | undefined>>) {
  const settings = roomsOf(readConfig(env)).store
  const store = openSqliteStore(settings)
  await store.close()
  return { file: settings.file, ...store.schema }
}

/** Config → running Segno. The only place that chooses an adapter. */
export async function compose(options: SegnoOptions, parts: Parts): Promise<Segno> {
  const config = configOf(options)
  const settings = roomsOf(config)
  const clock = parts.clock ?? systemClock
  const models = await modelsOf(config, typeof options.model === 'string' ? undefined : options.model)
  const checkModel = (key: string): void => void models.get(key)
  const embedder = chooseEmbedder(config.embeddings, config.providers)
  const breakers = createBreakers(settings.breakers, clock)
  const policy = policyOf(options, config)
  const servers = serversOf(config)
  const log = createLog({ level: config.log, clock })
  // Before the store is opened: a bad endpoint stops the start, and nothing is left open.
  const tracing = createTracing({
    ...config.otlp,
    serviceName: 'segno',
    version: VERSION,
    describeModel: models.describe,
  })
  const openStore = (): Store => openSqliteStore(settings.store)
  const store = parts.store?.(openStore) ?? openStore()
  const folder = options.folder ?? join(config.home, 'workspace')
  const mcpServers = Object.keys(servers)
  const workspaces = createWorkspaces(store, { ...settings.workspaces, folder, clock, checkModel, mcpServers })
  const toolbox = await orClose(store, async () => {
    await workspaces.of(LOCAL_TENANT, SYSTEM_WORKSPACE)
    const { tools: own = [], builtInTools: builtIn = true } = options
    const world = { settings: settings.tools, clock, models, breakers, store, workspaces, log, ways: parts.ways }
    return assembleTools({ ...world, own, builtIn, servers, folder })
  })
  const hub = createHub(store, settings.hub)
  const made: Hands = {
    clock,
    tools: toolbox.of,
    policy,
    left: (tenant, userId) => store.left(tenant, userId, clock.now()),
    redact: createRedactor(secretsOf(config, servers)),
    model: models.get,
    breakers,
    pulse: hub.pulse,
    workspace: workspaces.of,
    folder: workspaces.folder,
    files: createFiles(store.blob),
    settings: { systemPrompt: options.systemPrompt, ...settings.loop },
  }
  const hands = parts.hands?.(made) ?? made
  const pressure = memoryPressure(settings.coordinator)
  const coordinator = createCoordinator(store, hands, { ...settings.coordinator, pressure })
  const sessions = createSessions(store, coordinator, clock, { workspace: workspaces.get, model: checkModel })
  const rounds = createRounds(store, coordinator, sessions, {
    ...settings.rounds,
    model: models.standard,
    now: () => clock.now(),
    checkModel,
    models: async (tenant, id) => (await workspaces.of(tenant, id)).models,
    hands,
  })
  const keys = createKeys(store, clock)
  const streams = fairShare(settings.http.maxStreams)
  const metrics = metricsOf(models, coordinator, streams, tracing)
  for (const see of [metrics.see, tracing.see, logEvents(log)]) store.subscribe(see)
  const closed = new AbortController()
  const running = { coordinator, hub, closed, streams, tracing, toolbox, keys, metrics, store, log }
  const jobs = parts.looks
    ? undefined
    : () =>
        startJobs(store, coordinator, clock, {
          ...settings.jobs,
          onFailure: (kind) => log.warn('job_failed', { reason: kind }),
          onParked(kind, reason) {
            metrics.jobParked()
            log.warn('job_parked', { reason: kind, code: reason })
          },
        })
  const life = createLife({ ...running, jobs, ...settings.life })
  await life.start()
  const services = {
    sessions,
    rounds,
    readings: createReadings(store, sessions, hands, models.standard, settings.readings.traceMs),
    keys,
    workspaces,
    audit: createAuditLog(store, clock),
    budgets: createBudgets(store, clock),
    mcp: mcpService(toolbox.mcp, store, clock),
    jobs: createJobService(store, clock),
    embedder,
    ...toolDoors(hands, workspaces, settings.rounds.limits),
    ...createUpkeep(store, () => clock.now(), parts.looks ? Infinity : 0, checkStored),
    readiness: watchReadiness(store, clock, () =>
      life.isClosing ? 'stopping' : streams.taken >= settings.http.maxStreams ? 'full' : coordinator.refusal(),
    ),
    stats: coordinator.stats,
    backup: (file: string) => store.backup(file),
    close: life.close,
  }
  const { onEvent = () => {} } = options
  const following = createFollowing(store, hub, closed.signal)
  const rate = createRate(settings.accounts.requestsPerMinute, clock)
  const failedSignIns = createFailedSignIns(clock)
  const openStream = (wish: StreamOptions): WireStream => followEncoded(store, hub, wish)
  const beside = {
    openStream,
    metrics,
    log,
    rate,
    failedSignIns,
    streams,
    settings: { ...settings.http, version: VERSION },
  }
  return facadeOf({ services, store, hub, following, models, breakers, onEvent }, async (segno) => {
    // Loaded when first used: a script that only embeds Segno does not pay for the server.
    const { createHttpApp } = await import('./channel/http/index.ts')
    return createHttpApp({ ...segno, ...beside })
  })
}

function metricsOf(models: Models, coordinator: Coordinator, streams: Shares, tracing: Tracing): Metrics {
  const { stats } = coordinator
  return createMetrics(
    {
      streams: () => streams.taken,
      roundsRunning: () => stats().running,
      roundsQueued: () => stats().queued,
      sessionsLive: () => stats().live,
      spansLost: tracing.lost,
    },
    { version: VERSION, knownModel: models.known },
  )
}

/** The configuration, with what the caller says in its place. */
function configOf({ env = process.env, home, durability, protocol, model, limits }: SegnoOptions): Config {
  return readConfig(env, {
    ...(home !== undefined && { home }),
    ...(durability !== undefined && { durability }),
    ...(protocol !== undefined && { protocol }),
    ...(typeof model === 'string' && { model }),
    ...(limits && { limits }),
  })
}

function policyOf(options: SegnoOptions, config: Config): Policy {
  return joinPolicies(readPolicy(options.policy ?? {}, 'policy'), readPolicy(config.policy ?? {}, 'SEGNO_POLICY'))
}

/** The models this configuration allows, and the one to use. */
export function modelsOf(config: Config, given?: LanguageModel | Script): Promise<Models> {
  return chooseModels({ ...roomsOf(config).models, given })
}

/** A start that fails must not keep the database from the next one. */
async function orClose<T>(store: Store, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Running rounds finish; new ones wait until there is room. */
function memoryPressure({ memoryPercent }: Rooms['coordinator']): () => string | undefined {
  const percent = heapPercent()
  return () =>
    percent() > memoryPercent
      ? `Memory is short (limit MEMORY_PERCENT, ${memoryPercent}); running answers finish first. Try again soon.`
      : undefined
}
