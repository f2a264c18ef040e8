import { join } from 'node:path'
import { closeInTime } from './app-close.ts'
import { assembleTools, secretsOf, serversOf, toolDoors, type ToolParts } from './app-tools.ts'
import { createBudgets, createFailedSignIns, createKeys, createRate } from './account/index.ts'
import { createAuditLog } from './audit/index.ts'
import { createFollowing, handleMessage, sessionStreams, streamRequest } from './channel/library/index.ts'
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
import { LOCAL_OWNER } from './contract/actor.ts'
import type { OrchestratorEvent } from './contract/channel.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { createUpkeep, startJobs, watchReadiness } from './job/index.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { fairShare } from './lib/fair-share.ts'
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
  withDisplay,
  type Hands,
} from './round/index.ts'
import { VERSION } from './lib/version.ts'
import type { Segno, SegnoOptions } from './segno.ts'
import type { Store } from './store/index.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { createHub, followEncoded, type StreamOptions } from './stream/index.ts'
import { createLog, createMetrics, createTracing, logEvents } from './telemetry/index.ts'
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
  const { home, durability } = readConfig(env)
  const file = join(home, 'segno.db')
  const store = openSqliteStore({ file, durability })
  await store.close()
  return { file, ...store.schema }
}

/** Config → running Segno. The only place that chooses an adapter. Services close in the reverse order. */
export async function compose(options: SegnoOptions, parts: Parts): Promise<Segno> {
  const { model, tools: ownTools = [], builtInTools = true, onEvent = () => {} } = options
  const env = options.env ?? process.env
  const config = readConfig(env, {
    ...(options.home !== undefined && { home: options.home }),
    ...(options.durability !== undefined && { durability: options.durability }),
    ...(options.protocol !== undefined && { protocol: options.protocol }),
    ...(typeof model === 'string' && { model }),
    ...(options.limits && { limits: options.limits }),
  })
  const clock = parts.clock ?? systemClock
  const models = await modelsOf(config, typeof model === 'string' ? undefined : model)
  const embedder = chooseEmbedder(config.embeddings, config.providers)
  const breakers = createBreakers(breakerLimits(config), clock)
  const policy = joinPolicies(
    readPolicy(options.policy ?? {}, 'policy'),
    readPolicy(config.policy ?? {}, 'SEGNO_POLICY'),
  )
  const servers = serversOf(config)
  // Before the store is opened: a bad endpoint stops the start, and nothing is left open.
  const tracing = createTracing({
    ...config.otlp,
    serviceName: 'segno',
    version: VERSION,
    describeModel: models.describe,
  })
  const openStore = (): Store => openSqliteStore({ file: join(config.home, 'segno.db'), durability: config.durability })
  const store = parts.store?.(openStore) ?? openStore()
  const checkModel = (key: string): void => void models.get(key)
  const folder = options.folder ?? join(config.home, 'workspace')
  const workspaces = createWorkspaces(store, {
    home: config.home,
    folder,
    roots: config.folderRoots,
    clock,
    checkModel,
    mcpServers: Object.keys(servers),
  })
  const toolbox = await orClose(store, async () => {
    await workspaces.of(LOCAL_OWNER.tenant, SYSTEM_WORKSPACE)
    return assembleTools({
      config,
      clock,
      models,
      breakers,
      store,
      servers,
      own: ownTools,
      builtIn: builtInTools,
      folder,
      ways: parts.ways,
      onServer({ server, tenant, workspaceId, state, restarts }) {
        const fields = { server, tenant, workspaceId, reason: state.replaceAll(' ', '_'), count: restarts }
        if (state === 'failed') log.warn('mcp_server', fields)
        else log.info('mcp_server', fields)
      },
      async place(tenant, id) {
        const { mcpServers } = await workspaces.of(tenant, id)
        const found = await workspaces.folder(tenant, id)
        return { folder: 'path' in found ? found.path : undefined, servers: mcpServers }
      },
    })
  })
  const keys = createKeys(store, clock)

  const streams = fairShare(config.limits.MAX_STREAMS)
  const log = createLog({ level: config.log, clock })
  const metrics = createMetrics(
    {
      streams: () => streams.taken,
      roundsRunning: () => coordinator.stats().running,
      roundsQueued: () => coordinator.stats().queued,
      sessionsLive: () => coordinator.stats().live,
      spansLost: tracing.lost,
    },
    { version: VERSION, knownModel: models.known },
  )
  for (const see of [metrics.see, tracing.see, logEvents(log)]) store.subscribe(see)
  const hub = createHub(store, {
    queueChars: config.limits.STREAM_CHARS,
    sharedChars: config.limits.STREAM_SHARED_CHARS,
  })
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
  const audit = createAuditLog(store, clock)
  const readings = createReadings(store, sessions, hands, models.standard, config.limits.TRACE_MS)
  const jobs = parts.looks
    ? undefined
    : startJobs(store, coordinator, clock, {
        claimMs: config.limits.CLAIM_MS,
        quiet: { hours: config.quietHours, rewriteUpTo: config.limits.REWRITE_BYTES },
        onFailure: (kind) => log.warn('job_failed', { reason: kind }),
      })
  const closed = new AbortController()
  const following = createFollowing(store, hub, closed.signal)
  const actorOf = (given: { actor?: typeof LOCAL_OWNER } | undefined): typeof LOCAL_OWNER => given?.actor ?? LOCAL_OWNER
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    closeInTime(
      {
        drain: (ms) => coordinator.drain(ms),
        silence() {
          closed.abort()
          hub.close()
        },
        streams,
        beside: {
          jobs: async () => jobs?.stop(),
          tracing: () => tracing.close(),
          tools: () => toolbox.close(),
        },
        atOnce() {
          keys.close()
          metrics.close()
        },
        store,
      },
      config.limits.DRAIN_MS,
      log,
    )
  try {
    if (!parts.looks) await coordinator.recover()
  } catch (error) {
    await close()
    throw error
  }

  let http: Promise<{ fetch: (request: Request, env: object) => Response | Promise<Response> }> | undefined
  const readiness = watchReadiness(store, clock, () =>
    closing ? 'stopping' : streams.taken >= config.limits.MAX_STREAMS ? 'full' : coordinator.refusal(),
  )
  const segno: Segno = {
    model: models.standard,
    embedder,
    sessions,
    rounds,
    readings,
    keys,
    workspaces,
    audit,
    budgets: createBudgets(store, clock),
    mcp: mcpService(toolbox.mcp, store, clock),
    createSession: (wanted, given) => sessions.create(actorOf(given), wanted),
    async streamRequest(sessionId, content, requestOptions = {}) {
      const { actor, ...rest } = requestOptions
      return streamRequest(rounds, following, actor ?? LOCAL_OWNER, sessionId, content, rest)
    },
    async handleMessage(message, channel, session, given) {
      const handling = {
        sessions,
        rounds,
        following,
        async approval(id: string) {
          const found = await store.approval(id)
          return found && withDisplay(found)
        },
        emit: (event: OrchestratorEvent) => onEvent(event),
      }
      return handleMessage(handling, actorOf(given), message, channel, session)
    },
    ...sessionStreams(store, hub, sessions, following),
    models() {
      const open = breakers.open()
      return models.list().map((model) => {
        const leftAloneUntil = open.get(model.provider)
        return leftAloneUntil === undefined ? model : { ...model, leftAloneUntil }
      })
    },
    modelChosenBecause: models.why,
    ...toolDoors(hands, workspaces, roundLimits(config)),
    readiness: () => readiness(),
    async fetch(request, connection) {
      // Loaded when first used: a script that only embeds Segno does not pay for the server.
      http ??= import('./channel/http/index.ts').then(({ createHttpApp }) => createHttpApp(services))
      return (await http).fetch(request, connection ?? {})
    },
    stats: coordinator.stats,
    ...createUpkeep(store, () => clock.now(), parts.looks ? Infinity : 0),
    backup: (file) => store.backup(file),
    close: () => (closing ??= close()),
  }
  const services = {
    ...segno,
    openStream: (streamOptions: StreamOptions) => followEncoded(store, hub, streamOptions),
    metrics,
    log,
    rate: createRate(config.limits.RATE_PER_MINUTE, clock),
    failedSignIns: createFailedSignIns(clock),
    streams,
    settings: { ...httpSettings(config), version: VERSION },
  }
  log.info('ready', { version: VERSION, pid: process.pid })
  return segno
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
