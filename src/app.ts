import { join } from 'node:path'
import { createLife } from './app-life.ts'
import { assembleTools, secretsOf, serversOf, toolDoors, type ToolParts } from './app-tools.ts'
import { createBudgets, createFailedSignIns, createKeys, createRate } from './account/index.ts'
import { createAuditLog } from './audit/index.ts'
import { createFollowing } from './channel/library/index.ts'
import {
  breakerLimits,
  contentLimits,
  coordinatorLimits,
  httpSettings,
  loopSettings,
  readConfig,
  roundLimits,
  type Config,
} from './config/index.ts'
import { LOCAL_TENANT } from './contract/actor.ts'
import type { Policy } from './contract/policy.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { createUpkeep, startJobs, watchReadiness, type JobOptions } from './job/index.ts'
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
} from './round/index.ts'
import { VERSION } from './lib/version.ts'
import { facadeOf, type Segno, type SegnoOptions } from './segno.ts'
import type { Store } from './store/index.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { createHub, followEncoded, type StreamOptions, type WireStream } from './stream/index.ts'
import {
  createLog,
  createMetrics,
  createTracing,
  logEvents,
  type Log,
  type Metrics,
  type Tracing,
} from './telemetry/index.ts'
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
  const config = readConfig(env)
  const store = openStore(config)
  await store.close()
  return { file: join(config.home, 'segno.db'), ...store.schema }
}

/** Config → running Segno. The only place that chooses an adapter. */
export async function compose(options: SegnoOptions, parts: Parts): Promise<Segno> {
  const config = configOf(options)
  const { limits } = config
  const clock = parts.clock ?? systemClock
  const models = await modelsOf(config, typeof options.model === 'string' ? undefined : options.model)
  const checkModel = (key: string): void => void models.get(key)
  const embedder = chooseEmbedder(config.embeddings, config.providers)
  const breakers = createBreakers(breakerLimits(config), clock)
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
  const store = parts.store?.(() => openStore(config)) ?? openStore(config)
  const folder = options.folder ?? join(config.home, 'workspace')
  const { home, folderRoots: roots } = config
  const workspaces = createWorkspaces(store, {
    home,
    folder,
    roots,
    clock,
    checkModel,
    mcpServers: Object.keys(servers),
  })
  const toolbox = await orClose(store, async () => {
    await workspaces.of(LOCAL_TENANT, SYSTEM_WORKSPACE)
    const { tools: own = [], builtInTools: builtIn = true } = options
    const world = { config, clock, models, breakers, store, workspaces, log, ways: parts.ways }
    return assembleTools({ ...world, own, builtIn, servers, folder })
  })
  const hub = createHub(store, { queueChars: limits.STREAM_CHARS, sharedChars: limits.STREAM_SHARED_CHARS })
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
    settings: { systemPrompt: options.systemPrompt, ...loopSettings(config) },
  }
  const hands = parts.hands?.(made) ?? made
  const coordinator = createCoordinator(store, hands, {
    ...coordinatorLimits(config),
    pressure: memoryPressure(config),
  })
  const sessions = createSessions(store, coordinator, clock, { workspace: workspaces.get, model: checkModel })
  const rounds = createRounds(store, coordinator, sessions, {
    protocol: config.protocol,
    model: models.standard,
    limits: roundLimits(config),
    ...contentLimits(config),
    now: () => clock.now(),
    checkModel,
    models: async (tenant, id) => (await workspaces.of(tenant, id)).models,
  })
  const keys = createKeys(store, clock)
  const streams = fairShare(limits.MAX_STREAMS)
  const metrics = metricsOf(models, coordinator, streams, tracing)
  for (const see of [metrics.see, tracing.see, logEvents(log)]) store.subscribe(see)
  const closed = new AbortController()
  const running = { coordinator, hub, closed, streams, tracing, toolbox, keys, metrics, store, log }
  const jobs = parts.looks ? undefined : () => startJobs(store, coordinator, clock, jobOptions(config, log))
  const life = createLife({ ...running, jobs, drainMs: limits.DRAIN_MS })
  await life.start()
  const services = {
    sessions,
    rounds,
    readings: createReadings(store, sessions, hands, models.standard, limits.TRACE_MS),
    keys,
    workspaces,
    audit: createAuditLog(store, clock),
    budgets: createBudgets(store, clock),
    mcp: mcpService(toolbox.mcp, store, clock),
    embedder,
    ...toolDoors(hands, workspaces, roundLimits(config)),
    ...createUpkeep(store, () => clock.now(), parts.looks ? Infinity : 0),
    readiness: watchReadiness(store, clock, () =>
      life.isClosing ? 'stopping' : streams.taken >= limits.MAX_STREAMS ? 'full' : coordinator.refusal(),
    ),
    stats: coordinator.stats,
    backup: (file: string) => store.backup(file),
    close: life.close,
  }
  const { onEvent = () => {} } = options
  const following = createFollowing(store, hub, closed.signal)
  const rate = createRate(limits.RATE_PER_MINUTE, clock)
  const failedSignIns = createFailedSignIns(clock)
  const settings = { ...httpSettings(config), version: VERSION }
  const openStream = (wish: StreamOptions): WireStream => followEncoded(store, hub, wish)
  const beside = { openStream, metrics, log, rate, failedSignIns, streams, settings }
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

const openStore = ({ home, durability }: Config): Store => openSqliteStore({ file: join(home, 'segno.db'), durability })

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

function jobOptions({ limits, quietHours }: Config, log: Log): JobOptions {
  return {
    claimMs: limits.CLAIM_MS,
    quiet: { hours: quietHours, rewriteUpTo: limits.REWRITE_BYTES },
    onFailure: (kind) => log.warn('job_failed', { reason: kind }),
  }
}

/** The models this configuration allows, and the one to use. */
export function modelsOf(config: Config, given?: LanguageModel | Script): Promise<Models> {
  return chooseModels({
    model: config.model,
    entries: config.models,
    assumedPrices: config.assumedPrices,
    script: config.script,
    given,
    settings: config.providers,
    probeMs: config.limits.PROBE_MS,
  })
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
function memoryPressure({ limits }: Config): () => string | undefined {
  const percent = heapPercent()
  return () =>
    percent() > limits.MEMORY_PERCENT
      ? `Memory is short (limit MEMORY_PERCENT, ${limits.MEMORY_PERCENT}); running answers finish first. Try again soon.`
      : undefined
}
