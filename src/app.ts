import { join } from 'node:path'
import { followCluster, relayTo } from './app-cluster.ts'
import { openKnowledge } from './app-knowledge.ts'
import { createLife } from './app-life.ts'
import { memoryPressure, metricsOf } from './app-metrics.ts'
import { embedderOf, modelsOf } from './app-models.ts'
import { openProviders } from './app-providers.ts'
import { openStore, type StoreParts } from './app-store.ts'
import { secretsOf } from './app-secrets.ts'
import { toolServices } from './app-tool-services.ts'
import { assembleTools, serversOf, type ToolParts } from './app-tools.ts'
import { taskAsker } from './app-tasks.ts'
import { openWorkflows } from './app-workflows.ts'
import {
  createBudgets,
  createKeys,
  createPreferences,
  createRate,
  failedSignInCounter,
  peopleOf,
} from './account/index.ts'
import { createAuditLog, redactSecrets } from './audit/index.ts'
import type { Cluster } from './cluster/index.ts'
import { checkSegnoOptions, createFollowing } from './channel/library/index.ts'
import { readConfig, roomsOf, type Config } from './config/index.ts'
import { LOCAL_TENANT, OPERATOR, type Actor } from './contract/actor.ts'
import { need } from './contract/need.ts'
import type { Policy } from './contract/policy.ts'
import { Problem } from './contract/problem.ts'
import { SYSTEM_WORKSPACE } from './contract/workspace.ts'
import { createJobService, createUpkeep, startJobs, watchReadiness } from './job/index.ts'
import { createMemories, createPrompts, rememberAnswer } from './knowledge/index.ts'
import { fairShare } from './lib/fair-share.ts'
import { countInSlabs, createBreakers, createLearnedWindows } from './model/index.ts'
import { joinPolicies, readPolicy } from './policy/index.ts'
import {
  awaitsAnswer,
  contentOf,
  createCoordinator,
  createFiles,
  createParamCheck,
  createReadings,
  createRounds,
  createSessions,
  judgeUnwatched,
  retrievedTexts,
  type Deps,
  checkStored,
} from './round/index.ts'
import { VERSION } from './lib/version.ts'
import { facadeOf, type Segno, type SegnoOptions } from './segno.ts'
import { KNOWN_SINCE, WITH_ORIGIN, type NodeLoad, type Store } from './store/index.ts'
import { createHub, createNodeStreams, followEncoded, type StreamOptions, type WireStream } from './stream/index.ts'
import { createLog, createTracing, logEvents } from './telemetry/index.ts'
import { checkAnswer, mcpService } from './tool/index.ts'
import { createContexts, createWorkspaces } from './workspace/index.ts'

export { embedderOf, modelsOf }

/** Parts a test may replace. */
export interface Parts extends StoreParts {
  /** DNS and connections */
  readonly network?: ToolParts['network']
  /** how often it is looked for what is due */
  readonly jobsEveryMs?: number
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

/** Builds a running Segno from its configuration; the only place that chooses adapters. */
export async function compose(options: SegnoOptions, parts: Parts): Promise<Segno> {
  const config = configOf(options)
  const settings = roomsOf(config)
  const models = await modelsOf(config, typeof options.model === 'string' ? undefined : options.model)
  const checkModel = (key: string): void => void models.get(key)
  const embedder = embedderOf(config)
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
    checkContext: (...given) => contexts.check(...given),
  })
  const people = peopleOf(store, clock, config.requireKey)
  const workspace = ({ tenant }: Actor, id: string) => workspaces.of(tenant, id)
  const prompts = createPrompts(store, {
    ...settings.prompts,
    clock,
    people,
    countTokens: (text) => countInSlabs([text], 1),
    workspace,
  })
  const preferences = createPreferences(store, clock)
  const closed = new AbortController()
  const knowledge = openKnowledge({
    settings,
    config,
    store,
    clock,
    embedder,
    log,
    closed: closed.signal,
    people,
    workspace,
    onParked: () => metrics.jobParked(),
  })
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
  const memories = createMemories(store, {
    ...settings.memories,
    clock,
    embedder,
    redact: (text) => redactSecrets(redact(text)),
    preferences: preferences.of,
  })
  const workflows = openWorkflows({
    settings,
    requireKey: config.requireKey,
    store,
    secrets,
    clock,
    log,
    network: parts.network,
    closed: closed.signal,
    mayAct: cluster.mayAct,
    rounds: () => ({
      rounds,
      sessions,
      awaitsAnswer: awaitsAnswer(store, coordinator),
      contentOf: contentOf(store, deps),
    }),
  })
  // Before any round goes on, so that nothing happens that somebody wants to hear of and does not.
  await workflows.refresh()
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
      memories,
      knowledge: knowledge.search,
      workflows: workflows.toolsOf,
      workspaces,
      log,
      network: parts.network,
      node: cluster.id,
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
    missing: workflows.whyMissing,
    folder: workspaces.folder,
    files: createFiles(store.blob),
    prompt: prompts.activeFor,
    retrieve: knowledge.retrieval(memories, (...given) => contexts.of(...given)),
    texts: (actor, retrieved) => retrievedTexts(store, actor, retrieved),
    draft: (tenant, id, promptId) => orMissing(prompts.trial({ tenant, id }, promptId)),
    preferences: preferences.of,
    mayAsk: () => cluster.knownToAll() >= (KNOWN_SINCE['model.asked'] ?? 0),
    wants: workflows.wanted,
    mayOriginate: () => cluster.knownToAll() >= (KNOWN_SINCE[WITH_ORIGIN] ?? 0),
    settings: { systemPrompt: options.systemPrompt, ...settings.loop },
  }
  const deps = parts.deps?.(made) ?? made
  const contexts = createContexts(workspaces, {
    ...settings.contexts,
    clock,
    closed: closed.signal,
    judge: (caller, call) => judgeUnwatched(deps, caller, call, settings.rounds.limits),
    toolName: toolbox.nameOf,
  })
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
  const askTask = taskAsker({
    mcp: toolbox.mcp,
    cluster,
    clock,
    store,
    rounds,
    awaitsAnswer: awaitsAnswer(store, coordinator),
    workspaces,
  })
  const keys = createKeys(store, clock)
  const streams = fairShare(settings.http.maxStreams)
  const metrics = metricsOf(models, coordinator, streams, tracing, cluster)
  for (const see of [metrics.see, tracing.see, logEvents(log)]) store.subscribe(see)
  const running = { cluster, coordinator, hub, closed, streams, tracing, toolbox, keys, metrics, store, log }
  const jobs = parts.passive
    ? undefined
    : () => {
        const embedding = knowledge.start()
        const due = startJobs(store, coordinator, clock, {
          ...settings.jobs,
          ...workflows.jobs,
          ...(parts.jobsEveryMs !== undefined && { everyMs: parts.jobsEveryMs }),
          remember: rememberAnswer(store, memories),
          askTask,
          onFailure: (kind) => log.warn('job_failed', { reason: kind }),
          onParked(kind, reason) {
            metrics.jobParked()
            log.warn('job_parked', { reason: kind, code: reason })
          },
        })
        // What an earlier process left is not left again by one that lives shortly, such as a message of `segno chat`.
        void due.tick()
        const handingOver = workflows.start(parts.jobsEveryMs)
        return { stop: () => Promise.all([due.stop(), embedding.stop(), handingOver.stop()]) }
      }
  const life = createLife({ ...running, jobs, ...settings.life })
  if (jobs) followCluster(cluster, coordinator)
  await life.start()
  const services = {
    sessions,
    rounds,
    readings: createReadings(store, sessions, deps, models.standard, settings.readings.traceMs),
    keys,
    workspaces,
    contexts,
    prompts,
    documents: knowledge.documents,
    preferences,
    memories,
    audit: createAuditLog(store, clock),
    budgets: createBudgets(store, clock),
    mcp: mcpService(toolbox.mcp, store, clock),
    jobs: createJobService(store, clock),
    providers,
    secrets,
    embedder,
    ...workflows.services,
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

/** The configuration, overridden by the options. */
function configOf({ env = process.env, home, durability, protocol, model, limits }: SegnoOptions): Config {
  return readConfig(env, { home, durability, protocol, limits, model: typeof model === 'string' ? model : undefined })
}

function policyOf(options: SegnoOptions, config: Config): Policy {
  return joinPolicies(readPolicy(options.policy ?? {}, 'policy'), readPolicy(config.policy ?? {}, 'SEGNO_POLICY'))
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
