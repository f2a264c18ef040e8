import { join } from 'node:path'
import { createLife } from './app-life.ts'
import { openProviders } from './app-providers.ts'
import { openStore, type StoreParts } from './app-store.ts'
import { assembleTools, secretsOf, serversOf, toolServices, type ToolParts } from './app-tools.ts'
import {
  createBudgets,
  createKeys,
  createPreferences,
  createRate,
  failedSignInCounter,
  peopleOf,
} from './account/index.ts'
import { createAuditLog } from './audit/index.ts'
import type { Cluster } from './cluster/index.ts'
import { checkSegnoOptions, createFollowing } from './channel/library/index.ts'
import { readConfig, roomsOf, storeName, type Config, type Rooms } from './config/index.ts'
import { LOCAL_TENANT, OPERATOR, type Actor } from './contract/actor.ts'
import { need } from './contract/need.ts'
import type { Policy } from './contract/policy.ts'
import { Problem } from './contract/problem.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { createJobService, createUpkeep, startJobs, watchReadiness } from './job/index.ts'
import { createPrompts } from './knowledge/index.ts'
import { fairShare, type Shares } from './lib/fair-share.ts'
import { heapPercent } from './lib/heap.ts'
import {
  chooseEmbedder,
  chooseModels,
  countInSlabs,
  createBreakers,
  createLearnedWindows,
  type LanguageModel,
  type Models,
  type Script,
} from './model/index.ts'
import { joinPolicies, readPolicy } from './policy/index.ts'
import {
  createCoordinator,
  createFiles,
  createParamCheck,
  createReadings,
  createRounds,
  createSessions,
  type Coordinator,
  type Deps,
  checkStored,
} from './round/index.ts'
import { VERSION } from './lib/version.ts'
import { facadeOf, type Segno, type SegnoOptions } from './segno.ts'
import { KNOWN_SINCE, type NodeLoad, type Store } from './store/index.ts'
import {
  createHub,
  createNodeStreams,
  followEncoded,
  type RelayOptions,
  type StreamOptions,
  type WireStream,
} from './stream/index.ts'
import { createLog, createMetrics, createTracing, logEvents, type Metrics, type Tracing } from './telemetry/index.ts'
import { checkAnswer, mcpService } from './tool/index.ts'
import { createWorkspaces } from './workspace/index.ts'

/** Parts a test may replace. */
export interface Parts extends StoreParts {
  /** DNS and connections */
  readonly network?: ToolParts['network']
  deps?(deps: Deps): Deps
}

export async function createSegno(options: SegnoOptions = {}): Promise<Segno> {
  checkSegnoOptions(options)
  return compose(options, {})
}

/** For a command that only reads: no background work starts. */
export async function openPassive(options: SegnoOptions = {}): Promise<Segno> {
  return compose(options, { passive: true })
}

/** Opens the configured database, which migrates it. */
export async function migrateDatabase(env: Readonly<Record<string, string | undefined>>) {
  const config = readConfig(env)
  const idle = (): NodeLoad => ({ sessions: 0, rounds: 0, slots: 0 })
  const { store } = await openStore(roomsOf(config), { passive: true }, createLog({ level: 'off' }), idle)
  await store.close()
  return { file: storeName(config), ...store.schema }
}

/** Builds a running Segno from its configuration; the only place that chooses adapters. */
export async function compose(options: SegnoOptions, parts: Parts): Promise<Segno> {
  const config = configOf(options)
  const settings = roomsOf(config)
  const models = await modelsOf(config, typeof options.model === 'string' ? undefined : options.model)
  const checkModel = (key: string): void => void models.get(key)
  const embedder = chooseEmbedder(config.embeddings, config.providers, config.namedProviders)
  const policy = policyOf(options, config)
  const servers = serversOf(config)
  const log = createLog({ level: config.log, ...(parts.clock && { clock: parts.clock }) })
  // Before the store is opened, so that a bad endpoint leaves nothing open.
  const tracing = createTracing({ ...config.otlp, version: VERSION, describeModel: models.describe })
  let load = (): NodeLoad => ({ sessions: 0, rounds: 0, slots: settings.coordinator.maxRounds })
  const { store, cluster, clock, sharedBy, hasOthers } = await openStore(settings, parts, log, () => load())
  const breakers = createBreakers(settings.breakers, clock)
  const windows = createLearnedWindows(settings.windows, clock)
  const folder = options.folder ?? join(config.home, 'workspace')
  const mcpServers = Object.keys(servers)
  const workspaces = createWorkspaces(store, {
    ...settings.workspaces,
    folder,
    clock,
    sharedBy,
    checkModel,
    mcpServers,
  })
  const prompts = createPrompts(store, {
    ...settings.prompts,
    clock,
    people: peopleOf(store, clock, config.requireKey),
    countTokens: (text) => countInSlabs([text], 1),
    workspace: ({ tenant }, id) => workspaces.of(tenant, id),
  })
  const preferences = createPreferences(store, clock)
  const closed = new AbortController()
  const { secrets, providers, redact } = await orClose(store, cluster, async () =>
    openProviders({
      settings,
      store,
      clock,
      models,
      breakers,
      log,
      network: parts.network,
      isNode: sharedBy !== undefined,
      hasOthers,
      known: [...secretsOf(config, servers), ...models.secrets()],
      closed: closed.signal,
    }),
  )
  const toolbox = await orClose(store, cluster, async () => {
    await workspaces.of(LOCAL_TENANT, SYSTEM_WORKSPACE)
    const { tools: own = [], builtInTools: builtIn = true } = options
    const world = {
      settings: settings.tools,
      clock,
      models,
      breakers,
      windows,
      store,
      secrets,
      workspaces,
      log,
      network: parts.network,
    }
    return assembleTools({ ...world, own, builtIn, servers, folder })
  })
  const hub = createHub(store, { ...settings.hub, relay: relayTo(cluster) })
  const made: Deps = {
    clock,
    mayAct: cluster.mayAct,
    tools: toolbox.of,
    policy,
    left: (tenant, userId) => store.left(tenant, userId, clock.now()),
    redact,
    model: (key) => windows.fit(models.get(key)),
    breakers,
    checkAnswer,
    windows,
    pulse: hub.pulse,
    logSaid: (what) => log.debug('provider_said', what),
    workspace: workspaces.of,
    folder: workspaces.folder,
    files: createFiles(store.blob),
    prompt: prompts.activeFor,
    draft: (tenant, id, promptId) => orMissing(prompts.trial({ tenant, id }, promptId)),
    preferences: preferences.of,
    mayAsk: () => cluster.knownToAll() >= (KNOWN_SINCE['model.asked'] ?? 0),
    settings: { systemPrompt: options.systemPrompt, ...settings.loop },
  }
  const deps = parts.deps?.(made) ?? made
  const pressure = memoryPressure(settings.coordinator)
  const elsewhere = { living: cluster.living, free: cluster.freeSlotsElsewhere, wake: cluster.wake }
  const coordinator = createCoordinator(store, deps, { ...settings.coordinator, pressure }, elsewhere)
  load = () => ({
    sessions: coordinator.stats().live,
    rounds: coordinator.stats().running,
    slots: settings.coordinator.maxRounds,
  })
  const modelsIn = async (tenant: string, id: string) => (await workspaces.of(tenant, id)).models
  const checkParams = createParamCheck({
    ...settings.params,
    deps,
    usualModel: async (tenant, id) => (await modelsIn(tenant, id))[0] ?? models.standard,
  })
  const sessions = createSessions(store, coordinator, clock, {
    workspace: workspaces.get,
    model: checkModel,
    params: checkParams,
    draft: prompts.trial,
    mayAsk: deps.mayAsk,
    imports: { ...settings.imports, tools: deps.tools, limits: settings.rounds.limits },
  })
  const rounds = createRounds(store, coordinator, sessions, {
    ...settings.rounds,
    model: models.standard,
    now: () => clock.now(),
    checkModel,
    checkParams,
    models: modelsIn,
    deps,
  })
  const keys = createKeys(store, clock)
  const streams = fairShare(settings.http.maxStreams)
  const metrics = metricsOf(models, coordinator, streams, tracing, cluster)
  for (const see of [metrics.see, tracing.see, logEvents(log)]) store.subscribe(see)
  const running = { cluster, coordinator, hub, closed, streams, tracing, toolbox, keys, metrics, store, log }
  const jobs = parts.passive
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
  if (jobs) followCluster(cluster, coordinator)
  await life.start()
  const services = {
    sessions,
    rounds,
    readings: createReadings(store, sessions, deps, models.standard, settings.readings.traceMs),
    keys,
    workspaces,
    prompts,
    preferences,
    audit: createAuditLog(store, clock),
    budgets: createBudgets(store, clock),
    mcp: mcpService(toolbox.mcp, store, clock),
    jobs: createJobService(store, clock),
    providers,
    secrets,
    embedder,
    ...toolServices(deps, workspaces, settings.rounds.limits),
    missingTools: toolbox.missing,
    ...createUpkeep(store, () => clock.now(), parts.passive ? Infinity : 0, checkStored),
    readiness: watchReadiness(store, clock, () =>
      life.isClosing ? 'stopping' : streams.taken >= settings.http.maxStreams ? 'full' : coordinator.refusal(),
    ),
    stats: coordinator.stats,
    getMetrics: () => ({ ...coordinator.stats(), ...metrics.summary() }),
    nodes(actor: Actor) {
      need(actor, OPERATOR)
      return cluster.view()
    },
    backup: (file: string) => store.backup(file),
    close: life.close,
  }
  const { onEvent = () => {} } = options
  const following = createFollowing(store, hub, closed.signal)
  const rate = createRate(settings.accounts.requestsPerMinute, clock, cluster.living)
  const countFailedSignIn = failedSignInCounter(clock)
  const openStream = (options: StreamOptions): WireStream => followEncoded(store, hub, options)
  const httpParts = {
    openStream,
    cluster,
    nodeStreams: createNodeStreams(hub, settings.nodeStreams),
    metrics,
    log,
    rate,
    countFailedSignIn,
    streams,
    settings: { ...settings.http, version: VERSION },
  }
  return facadeOf({ services, store, hub, following, models, breakers, windows, onEvent }, async (segno) => {
    // Loaded when first used: a script that only embeds Segno does not pay for the server.
    const { createHttpApp } = await import('./channel/http/index.ts')
    return createHttpApp({ ...segno, ...httpParts })
  })
}

/** Undefined for what is not there, and only for that. */
async function orMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}

/** How the owner of a session on another node is followed. */
function relayTo({ request }: Cluster): RelayOptions {
  return {
    async connect(owner, sessionId, signal) {
      const query = new URLSearchParams({ session: sessionId, owner })
      const { status, body } = await request(owner, `/internal/follow?${query.toString()}`, { signal })
      if (status === 200 && body) return body
      await body?.cancel()
      throw new Error(`node ${owner} answered ${status}`)
    },
  }
}

/** Reacts to changes in the cluster; what fails here is made up for by the next poll. */
function followCluster(cluster: Cluster, coordinator: Coordinator): void {
  const rescue = (): void => void coordinator.rescue().catch(() => {})
  cluster.onLost(coordinator.giveUp)
  cluster.onRegained(rescue)
  cluster.onGone(rescue)
  cluster.onWoken((sessionId) => void coordinator.wake(sessionId).catch(() => {}))
}

function metricsOf(
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

/** The configuration, overridden by the options. */
function configOf({ env = process.env, home, durability, protocol, model, limits }: SegnoOptions): Config {
  return readConfig(env, { home, durability, protocol, limits, model: typeof model === 'string' ? model : undefined })
}

function policyOf(options: SegnoOptions, config: Config): Policy {
  return joinPolicies(readPolicy(options.policy ?? {}, 'policy'), readPolicy(config.policy ?? {}, 'SEGNO_POLICY'))
}

/** The models of this configuration. */
export function modelsOf(config: Config, given?: LanguageModel | Script): Promise<Models> {
  return chooseModels({ ...roomsOf(config).models, given })
}

/** A failed start must not block the database for the next one. */
async function orClose<T>(store: Store, cluster: Cluster, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await cluster.leave(true).catch(() => {})
    await store.close()
    throw error
  }
}

/** Running rounds finish, and new ones wait until there is memory. */
function memoryPressure({ memoryPercent }: Rooms['coordinator']): () => string | undefined {
  const percent = heapPercent()
  return () =>
    percent() > memoryPercent
      ? `Memory is short (limit MEMORY_PERCENT, ${memoryPercent}); running answers finish first. Try again soon.`
      : undefined
}
