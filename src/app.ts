import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFollowing, handleMessage, streamRequest } from './channel/library/index.ts'
import { readConfig, type Config } from './config/index.ts'
import { LOCAL_OWNER } from './contract/actor.ts'
import type { OrchestratorEvent } from './contract/channel.ts'
import type { RoundLimits } from './contract/limits.ts'
import { Problem } from './contract/problem.ts'
import { startJobs } from './job/index.ts'
import { systemClock, type Clock } from './lib/clock.ts'
import { createScriptedModel, defaultScript, parseScript, type LanguageModel, type Script } from './model/index.ts'
import { createCoordinator, createRounds, createSessions, type Hands } from './round/index.ts'
import type { Segno, SegnoOptions } from './segno.ts'
import type { Store } from './store/index.ts'
import { openSqliteStore } from './store/sqlite/index.ts'
import { createHub, follow } from './stream/index.ts'
import { createRegistry, localTools } from './tool/index.ts'

/** What a test may put in the place of a real part. */
export interface Parts {
  readonly clock?: Clock
  store?(open: () => Store): Store
  hands?(hands: Hands): Hands
}

export async function createSegno(options: SegnoOptions = {}): Promise<Segno> {
  return compose(options, {})
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
  const models = chooseModels(config, typeof model === 'string' ? undefined : model)
  const builtIn = builtInTools ? localTools({ now: () => clock.now() }) : []
  const registry = await createRegistry([...withoutNames(builtIn, ownTools), ...ownTools])
  const folder = options.folder ?? join(config.home, 'workspace')
  const openStore = (): Store => openSqliteStore({ file: join(config.home, 'segno.db'), durability: config.durability })
  const store = parts.store?.(openStore) ?? openStore()
  await makeFolder(folder, store)

  const hub = createHub(store)
  const made: Hands = {
    clock,
    tools: registry,
    model: models.get,
    pulse: hub.pulse,
    folder: () => folder,
    settings: {
      systemPrompt: options.systemPrompt,
      historyMessages: config.limits.HISTORY_MESSAGES,
      contextTokens: config.limits.CONTEXT_TOKENS,
      outputChars: config.limits.OUTPUT_CHARS,
      toolMs: config.limits.TOOL_MS,
      toolMaxMs: config.limits.TOOL_MAX_MS,
      approvalMs: config.limits.APPROVAL_MS,
      retries: config.limits.RETRIES,
      retryBaseMs: config.limits.RETRY_BASE_MS,
    },
  }
  const hands = parts.hands?.(made) ?? made
  const coordinator = createCoordinator(store, hands, {
    maxCoordinators: config.limits.MAX_COORDINATORS,
    maxRounds: config.limits.MAX_ROUNDS,
    queueLength: config.limits.QUEUE_LENGTH,
    idleMs: config.limits.IDLE_MS,
  })
  const sessions = createSessions(store, coordinator, clock)
  const rounds = createRounds(store, coordinator, sessions, {
    protocol: config.protocol,
    model: models.standard,
    limits: roundLimits(config),
    messageChars: config.limits.MESSAGE_CHARS,
    now: () => clock.now(),
    checkModel: (key) => void models.get(key),
  })
  const jobs = startJobs(store, coordinator, clock)
  const closed = new AbortController()
  const following = createFollowing(store, hub, closed.signal)
  const actorOf = (given: { actor?: typeof LOCAL_OWNER } | undefined): typeof LOCAL_OWNER => given?.actor ?? LOCAL_OWNER
  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    await coordinator.drain(config.limits.DRAIN_MS)
    await jobs.stop()
    closed.abort()
    hub.close()
    await store.close()
  }
  try {
    await coordinator.recover()
  } catch (error) {
    await close()
    throw error
  }

  let http: { fetch: (request: Request) => Response | Promise<Response> } | undefined
  const segno: Segno = {
    model: models.standard,
    sessions,
    rounds,
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
        approval: store.approval,
        emit: (event: OrchestratorEvent) => onEvent(event),
      }
      return handleMessage(handling, actorOf(given), message, channel, session)
    },
    async *follow(sessionId, { actor, ...followOptions } = {}) {
      await sessions.get(actor ?? LOCAL_OWNER, sessionId)
      yield* follow(store, hub, sessionId, followOptions)
    },
    async *followRound(sessionId, requestId, { actor, ...followOptions } = {}) {
      await sessions.get(actor ?? LOCAL_OWNER, sessionId)
      yield* following.round(sessionId, requestId, followOptions)
    },
    ready: () => closing === undefined,
    async fetch(request) {
      // Loaded when first used: a script that only embeds Segno does not pay for the server.
      const { createHttpApp } = await import('./channel/http/index.ts')
      http ??= createHttpApp(segno, config.limits.BODY_BYTES)
      return http.fetch(request)
    },
    async completion(sessionId, requestId, given) {
      await sessions.get(actorOf(given), sessionId)
      return following.completion(sessionId, requestId)
    },
    stats: coordinator.stats,
    check: () => store.check(),
    backup: (file) => store.backup(file),
    close: () => (closing ??= close()),
  }
  return segno
}

/** A start that fails must not keep the database from the next one. */
async function makeFolder(folder: string, store: Store): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (cause) {
    await store.close()
    const why = (cause as Error).message
    throw new Problem('STORE_UNAVAILABLE', `Cannot make the folder ${folder} for files: ${why}. Choose another one.`, {
      cause,
    })
  }
}

function roundLimits({ limits }: Config): RoundLimits {
  return {
    maxIterations: limits.MAX_ITERATIONS,
    maxToolCalls: limits.MAX_TOOL_CALLS,
    maxCycles: limits.MAX_CYCLES,
    maxFruitless: limits.MAX_FRUITLESS,
    totalMs: limits.TOTAL_MS,
    modelCallMs: limits.MODEL_CALL_MS,
    contentGapMs: limits.CONTENT_GAP_MS,
    toolMs: limits.TOOL_MS,
  }
}

/** The scripted model is always there; one given in code is used unless a round names another. */
function chooseModels(config: Config, given: LanguageModel | Script | undefined) {
  const known = new Map<string, LanguageModel>()
  const isModel = (one: LanguageModel | Script): one is LanguageModel => 'doStream' in one
  if (given && isModel(given)) known.set(`${given.provider}:${given.modelId}`, given)
  const script =
    given && !isModel(given) ? given : config.script === undefined ? defaultScript : readScript(config.script)
  known.set('scripted', createScriptedModel(parseScript(script)))
  const standard = config.model ?? [...known.keys()][0] ?? 'scripted'
  function get(key: string): LanguageModel {
    const model = known.get(key)
    if (model) return model
    throw new Problem('VALIDATION_ERROR', `There is no model ${key}. Known: ${[...known.keys()].join(', ')}.`, {
      field: 'model',
    })
  }
  get(standard)
  return { standard, get }
}

function readScript(file: string): Script {
  try {
    return parseScript(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    const why = (cause as Error).message
    throw new Problem('CONFIG_ERROR', `SEGNO_SCRIPT names ${file}, which cannot be used as a script: ${why}.`, {
      cause,
    })
  }
}

/** A tool of the embedder's replaces the built-in one of the same name. */
function withoutNames<T extends { name: string }>(tools: readonly T[], replaced: readonly { name: string }[]): T[] {
  return tools.filter((tool) => !replaced.some((other) => other.name === tool.name))
}
