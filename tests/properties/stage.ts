import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { EffectClass } from '../../src/contract/outcome.ts'
import { fold, openCalls } from '../../src/session/index.ts'
import type { Store } from '../../src/store/index.ts'
import type { SentCall } from '../support/rebuild-sent.ts'
import type { Plan, RunPlan, SummaryPlan, TurnPlan } from './plan.ts'

/** What one history is played on: its database, its plan, and what was seen to happen. */
export class Stage {
  readonly plan: Plan
  readonly store: Store
  /** of every session, what it inherited included */
  readonly logs = new Map<string, StoredEvent[]>()
  readonly forks: { readonly id: string; readonly parent: string; readonly seq: number }[] = []
  readonly executions: Execution[] = []
  /** by call, the definition of the tool it was started with */
  readonly definitions = new Map<string, string>()
  /** by round, the whole text of every answer the model gave in it */
  readonly answers = new Map<string, string[]>()
  /** what models were really sent, call by call, without Segno's own questions */
  readonly sent: SentCall[] = []
  /** looks at what is sent before the model does */
  onSent: (sent: SentCall) => Promise<void> = async () => {}
  /** what must never happen and did, seen while it happened */
  readonly faults: string[] = []
  /** grows whenever anything happens, so that whoever waits knows whether only time can help */
  activity = 0
  events = 0
  onStored: (sessionId: string) => void = () => {}
  readonly #commitsOf = new Map<string, ReadonlySet<number>>()
  readonly #started = new Map<string, string>()
  readonly #sessionOf = new Map<string, string>()
  readonly #waitingForOwner = new Map<string, (() => void)[]>()
  #turns = 0
  #runs = 0
  #summaries = 0
  #commits = 0

  constructor(store: Store, plan: Plan) {
    this.store = store
    this.plan = plan
  }

  nextTurn(requestId: string): TurnPlan {
    const turn = nth(this.plan.turns, this.#turns++)
    const text = turn.say.map((say) => (say.kind === 'text' ? say.text.toWellFormed() : '')).join('')
    this.answers.set(requestId, [...(this.answers.get(requestId) ?? []), text])
    return turn
  }

  nextRun(): RunPlan {
    return nth(this.plan.runs, this.#runs++)
  }

  nextSummary(): SummaryPlan {
    return nth(this.plan.summaries, this.#summaries++)
  }

  /** The versions of the prompt and the preferences that count now. */
  get words(): Plan['words'][number] {
    return nth(this.plan.words, this.#turns)
  }

  /** Is this a commit the database refuses? */
  nextCommitFails(): boolean {
    return this.plan.diskFull.includes(this.#commits++)
  }

  log(sessionId: string): StoredEvent[] {
    return this.logs.get(sessionId) ?? []
  }

  /** The numbers after which a process could die. */
  commitsOf(sessionId: string): ReadonlySet<number> {
    return this.#commitsOf.get(sessionId) ?? new Set()
  }

  /** How many events a session shares with the one it was forked from. */
  inherited(sessionId: string): number {
    return this.forks.find((fork) => fork.id === sessionId)?.seq ?? 0
  }

  stored(sessionId: string, events: readonly StoredEvent[], parent?: { sessionId: string; seq: number }): void {
    const inherited = parent ? this.log(parent.sessionId).slice(0, parent.seq) : []
    if (parent) this.forks.push({ id: sessionId, parent: parent.sessionId, seq: parent.seq })
    const log = this.logs.get(sessionId) ?? inherited.map((event) => ({ ...event, sessionId }))
    log.push(...events)
    this.logs.set(sessionId, log)
    this.#commitsOf.set(sessionId, new Set([...this.commitsOf(sessionId), log.length]))
    this.events += events.length
    for (const event of events) {
      if (event.type === 'round.started') this.#sessionOf.set(event.data.requestId, sessionId)
      if (event.type === 'tool.started') this.#started.set(event.data.callId, event.data.idempotencyKey)
    }
    this.onStored(sessionId)
  }

  /** Notes with which definition of its tool a call was started. */
  startedAs(
    sessionId: string,
    events: readonly StoredEvent[],
    definitionOf: (tool: string) => string | undefined,
  ): void {
    for (const event of events) {
      if (event.type !== 'tool.started') continue
      const { callId } = event.data
      const call = this.log(sessionId).find((one) => one.type === 'tool.call' && one.data.callId === callId)
      const name = call?.type === 'tool.call' ? call.data.name : ''
      this.definitions.set(callId, definitionOf(name) ?? '')
    }
  }

  async modelCalled(requestId: string, model: string, options: LanguageModelV4CallOptions): Promise<void> {
    this.activity += 1
    const sessionId = this.#sessionOf.get(requestId) ?? ''
    const log = this.log(sessionId)
    const { round } = fold(log)
    const last = options.prompt.at(-1)?.role
    const sent = { sessionId, requestId, model, options, seq: log.length }
    this.sent.push(sent)
    if (!round?.openTurn) this.faults.push('the model was called outside a stored turn')
    else if (openCalls(round).length > 0) this.faults.push('the model was called while a call was open')
    if (last !== 'user' && last !== 'tool') this.faults.push(`the model was called with ${last} as the last message`)
    await this.onSent(sent)
    this.activity += 1
  }

  /** Segno asks a model something of its own: which one is on record in some session. */
  modelAsked(purpose: string): void {
    this.activity += 1
    const asking = [...this.logs.values()].flatMap((log) => fold(log).asking ?? [])
    if (!asking.some((one) => one.purpose === purpose))
      this.faults.push(`a ${purpose} was asked for before it was stored`)
  }

  executed(execution: Execution): void {
    this.activity += 1
    const { callId, key, tool, effect, what, definition } = execution
    if (effect !== 'pure' && this.#started.get(callId) !== key) {
      this.faults.push(`${tool} ran before its start under this key was stored`)
    }
    if (effect !== 'pure' && this.definitions.get(callId) !== definition) {
      this.faults.push(`${tool} ran as another tool than it was started as`)
    }
    const before = this.executions.filter((one) => one.callId === callId)
    if (effect === 'unsafe' && before.length > 0) this.faults.push(`unsafe ${tool} ran twice for one call`)
    // A pure call may run before it is recorded; what dies with it then is as if it never was.
    if (effect !== 'pure' && before.some((one) => one.key !== key))
      this.faults.push(`${tool} got two keys for one call`)
    if (what === 'verify' && before.length === 0 && effect !== 'verifiable') this.faults.push(`${tool} was looked up`)
    if (this.executions.some((one) => one.callId !== callId && one.key === key)) {
      this.faults.push(`${tool} got the key of another call`)
    }
    this.executions.push(execution)
  }

  /** Calls the log says never ran, though their tool was seen running. */
  deniedRuns(): string[] {
    const ran = new Set(
      this.executions.filter(({ what, effect }) => what === 'run' && effect !== 'pure').map(({ callId }) => callId),
    )
    return [...this.logs.values()].flat().flatMap((event) => {
      if (event.type !== 'tool.result' || event.data.content !== 'Cancelled before it started.') return []
      return ran.has(event.data.callId)
        ? [`${event.data.name} ${event.data.callId} ran and is said never to have run`]
        : []
    })
  }

  /** Resolves when another process becomes the owner of the session. */
  nextOwner(sessionId: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waitingForOwner.set(sessionId, [...(this.#waitingForOwner.get(sessionId) ?? []), resolve])
    })
  }

  claimed(sessionId: string): void {
    for (const resolve of this.#waitingForOwner.get(sessionId) ?? []) resolve()
    this.#waitingForOwner.delete(sessionId)
  }
}

export interface Execution {
  readonly callId: string
  readonly key: string
  readonly tool: string
  readonly effect: EffectClass
  readonly what: 'run' | 'verify'
  readonly definition: string
}

export function nth<T>(list: readonly T[], at: number): T {
  return list[at % list.length] as T
}

export const never = <T>(): Promise<T> => new Promise<T>(() => {})
