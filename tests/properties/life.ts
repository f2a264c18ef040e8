import { DEFAULT_ROUND_LIMITS } from '../support/limits.ts'
import type { GovernedPrompt } from '../../src/contract/governed-prompt.ts'
import type { StoredPreferences } from '../../src/contract/preferences.ts'
import { Problem } from '../../src/contract/problem.ts'
import type { WorkspaceText } from '../../src/contract/workspace.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createRedactor } from '../../src/lib/redactor.ts'
import {
  createCoordinator,
  createFiles,
  createRounds,
  createSessions,
  retrievedTexts,
  type Coordinator,
  type Deps,
  type Rounds,
  type Sessions,
} from '../../src/round/index.ts'
import { createBreakers, createLearnedWindows, type Model } from '../../src/model/index.ts'
import { loadTokenCounter } from '../../src/model/call/tokens.ts'
import type { Change, Store } from '../../src/store/index.ts'
import type { CrashPlan, Toolbox } from './plan.ts'
import { randomModel } from './random-model.ts'
import { toolsFor } from './random-tools.ts'
import { never, type Stage } from './stage.ts'

// Time stands still here, and loading it takes some.
await loadTokenCounter()

/** The second answers where the first does not; it sees less, and its provider takes other things. */
const MODELS: readonly Omit<Model, 'language'>[] = [
  {
    key: 'random',
    provider: 'random',
    modelId: 'random',
    window: 1_000_000,
    maxOutput: 4000,
    fallback: 'other',
    structuredOutput: true,
  },
  {
    key: 'other',
    provider: 'anthropic',
    modelId: 'other',
    window: 6000,
    maxOutput: 500,
    temperature: 0.5,
    reasoning: false,
  },
]

export function modelEntry(key: string): Omit<Model, 'language'> {
  const entry = MODELS.find((one) => one.key === key)
  if (!entry) throw new Error(`there is no model ${key}`)
  return entry
}

function governedPrompt(version: number): GovernedPrompt | undefined {
  if (version === 0) return undefined
  const about = { tenant: 'local', workspaceId: 'system', name: 'rules', author: 'ada', editors: [] }
  const times = { createdAt: 0, updatedAt: 0, revision: 1, tokens: 5 }
  return {
    ...about,
    ...times,
    id: `prompt-${version}`,
    version,
    status: 'active',
    content: `Rules, number ${version}.`,
  }
}

function storedPreferences(version: number): StoredPreferences | undefined {
  if (version === 0) return undefined
  const customInstructions = `Wishes, number ${version}.`
  return {
    tenant: 'local',
    userId: 'owner',
    version,
    salt: `salt-${version}`,
    updatedAt: 0,
    preferences: { customInstructions },
  }
}

/** Text from outside, but not in every history. */
function workspaceTexts(version: number): readonly WorkspaceText[] {
  if (version === 0) return []
  return [
    { kind: 'file', name: 'notes.md', text: `Notes, number ${version}.` },
    { kind: 'context', name: 'Weather', text: 'Rain.' },
  ]
}

export const APPROVAL_MS = 60_000
const FENCED = 'a fenced owner'

/** One process: the real loop with its own memory, on a database that outlives it. */
export class Life {
  readonly stage: Stage
  readonly died: Promise<void>
  dead = false
  /** why it may not do anything any more, though it could: it was told that another owns its session, or to stop */
  #over: string | undefined
  readonly mortal: boolean
  readonly #crash: CrashPlan | undefined
  readonly #die: () => void
  #commits = 0
  #definitionOf: (tool: string) => string | undefined = () => undefined

  private constructor(stage: Stage, mortal: boolean, crash: CrashPlan | undefined) {
    this.stage = stage
    this.mortal = mortal
    this.#crash = mortal ? crash : undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.died = promise
    this.#die = resolve
  }

  static async begin(
    stage: Stage,
    clock: Clock,
    mortal: boolean,
    crash: CrashPlan | undefined,
    toolbox: Toolbox,
  ): Promise<Process> {
    const life = new Life(stage, mortal, crash)
    const tools = await toolsFor(life, toolbox)
    life.#definitionOf = (name) => tools.get(name)?.definitionHash
    const store = life.#storeOf(stage.store)
    const models = new Map(MODELS.map((entry) => [entry.key, { ...entry, language: randomModel(life, entry.key) }]))
    const words = (kind: 'prompt' | 'preferences'): number => stage.words[kind]
    const deps: Deps = {
      clock,
      mayAct: () => true,
      tools: async () => tools,
      policy: {},
      left: async () => ({ tokens: null, tools: null, cost: null }),
      redact: createRedactor([]),
      model: (key) => {
        const model = models.get(key)
        if (!model) throw new Problem('VALIDATION_ERROR', `There is no model ${key}.`)
        return model
      },
      breakers: createBreakers({ failures: 0, openMs: 0 }, clock),
      windows: createLearnedWindows({ keepMs: 0 }, clock),
      pulse: () => {},
      logSaid: () => {},
      workspace: async () => ({
        name: 'System',
        instructions: '',
        instructionsBy: null,
        instructionsTrusted: true,
        models: [],
        promptSettings: { metadata: words('prompt') !== 1, systemInfo: words('prompt') === 2, date: true },
      }),
      prompt: async () => governedPrompt(words('prompt')),
      retrieve: async () => ({ passages: [], memories: [], context: workspaceTexts(words('preferences')) }),
      texts: (actor, retrieved) => retrievedTexts(store, actor, retrieved),
      draft: async () => undefined,
      preferences: async () => storedPreferences(words('preferences')),
      wants: () => new Set(),
      mayOriginate: () => true,
      missing: () => Promise.resolve(undefined),
      mayAsk: () => true,
      // A thread takes time, and time stands still here.
      checkAnswer: async (_, answer) =>
        typeof answer['city'] === 'string'
          ? { ok: true, args: answer }
          : { ok: false, message: 'city: expected string' },
      folder: async () => ({ path: '/nowhere' }),
      files: createFiles(store.blob),
      settings: {
        systemPrompt: undefined,
        historyMessages: stage.plan.window.messages,
        snapshotEvents: 1,
        contextTokens: stage.plan.window.tokens,
        compactPercent: stage.plan.compact,
        summaryChars: 200,
        summaryModel: undefined,
        titleModel: undefined,
        outputChars: 2000,
        fileBytes: 1000,
        resultFiles: 2,
        remembers: 5,
        toolMs: 30_000,
        toolMaxMs: 60_000,
        submittedMs: APPROVAL_MS,
        submittedMaxMs: APPROVAL_MS,
        approvalMs: APPROVAL_MS,
        questionMs: 1000,
        builtChars: 200,
        retries: 1,
        retryBaseMs: 100,
        retryAfterMs: 30_000,
        totalMs: 600_000,
        contentGapMs: 30_000,
        modelCallMs: 60_000,
        fileBytesAtOnce: 1000,
        connectMs: 30_000,
        answerChars: 1_000_000,
      },
    }
    const coordinator = createCoordinator(store, deps, {
      maxCoordinators: 20,
      maxRounds: 2,
      queueLength: 20,
      idleMs: 1_800_000,
    })
    const sessions = createSessions(store, coordinator, clock, {
      workspace: async () => {},
      model: () => {},
      params: async () => {},
      draft: async () => {},
      mayAsk: () => true,
      imports: { tools: deps.tools, limits: DEFAULT_ROUND_LIMITS, mostChars: 1000, mostEvents: 100 },
    })
    const rounds = createRounds(store, coordinator, sessions, {
      protocol: 'unified',
      model: 'random',
      limits: { ...DEFAULT_ROUND_LIMITS, maxIterations: 8, maxToolCalls: 8, maxCycles: 4, maxFruitless: 4 },
      messageChars: 10_000,
      fileBytes: 1000,
      messageFiles: 2,
      now: () => clock.now(),
      checkModel: () => {},
      checkParams: async () => {},
      models: async () => [],
      deps,
    })
    return { life, coordinator, sessions, rounds }
  }

  /** As if the process had been killed: nothing it does from now on leaves a trace. */
  kill(): void {
    if (!this.mortal) return
    this.dead = true
    this.#die()
  }

  /** It was asked to stop and said that it has. */
  stop(): void {
    this.#over = 'a process that had stopped'
    this.kill()
  }

  /** Can it still do something? Where it is over, it may not even try. */
  acts(what: string): boolean {
    if (this.#over !== undefined) this.stage.faults.push(`${this.#over} ${what}`)
    return !this.dead
  }

  #storeOf(base: Store): Store {
    return {
      ...base,
      commit: (change) => this.#commit(base, change),
      claim: async (sessionId) => {
        if (this.dead) return never()
        this.stage.activity += 1
        const ownership = await base.claim(sessionId)
        this.stage.claimed(sessionId)
        return ownership
      },
      release: async (...released) => {
        if (!this.dead) await base.release(...released)
      },
      putInput: (...put) => {
        this.stage.activity += 1
        return this.dead ? never() : base.putInput(...put)
      },
      // Histories share a database; a process knows only the sessions of its own.
      unfinished: async () => (await base.unfinished()).filter((id) => this.stage.logs.has(id)),
    }
  }

  async #commit(base: Store, change: Change): ReturnType<Store['commit']> {
    const { stage } = this
    stage.activity += 1
    // A fork that was asked for before is a session that nobody else owns.
    if (this.#over === FENCED && !change.create) stage.faults.push('a fenced owner tried to store something more')
    // A process that stops may still be told something; what it stores then comes too late or is done again.
    if (this.dead) return never()
    if (change.create) return this.#stored(base, change)
    if (stage.nextCommitFails()) throw new Problem('STORE_UNAVAILABLE', 'the disk is full')
    this.#commits += 1
    if (!this.#crash || this.#commits <= this.#crash.after) return this.#stored(base, change)
    switch (this.#crash.how) {
      case 'lost':
        this.kill()
        return never()
      case 'kept':
        await this.#stored(base, change)
        this.kill()
        return never()
      case 'late': {
        const otherOwner = stage.nextOwner(change.sessionId)
        this.kill()
        await otherOwner
        const result = await this.#stored(base, change)
        if (result.kind === 'committed') stage.faults.push('a former owner could still store something')
        this.#over = FENCED
        return result
      }
    }
  }

  async #stored(base: Store, change: Change): ReturnType<Store['commit']> {
    const result = await base.commit(change)
    this.stage.activity += 1
    if (result.kind !== 'committed') return result
    this.stage.stored(change.sessionId, result.events, change.create?.parent)
    this.stage.startedAs(change.sessionId, result.events, this.#definitionOf)
    return result
  }
}

export interface Process {
  readonly life: Life
  readonly coordinator: Coordinator
  readonly sessions: Sessions
  readonly rounds: Rounds
}
