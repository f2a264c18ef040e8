import { auditOf } from '../audit/index.ts'
import type { AuditRecord } from '../contract/audit.ts'
import type { EventType, Happening, NewEvent } from '../contract/event.ts'
import type { Input } from '../contract/input.ts'
import type { KnownJob } from '../contract/job.ts'
import { Problem } from '../contract/problem.ts'
import { ticksOf, type Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { later } from '../lib/later.ts'
import { forgetUnshown } from '../context/index.ts'
import { drivenBefore, evolve, SNAPSHOT_VERSION, snapshotOf, type Round, type SessionState } from '../session/index.ts'
import { Fenced, Stopping, isStopping } from './stopping.ts'
import type { Blob, Change, Claim, Elsewhere, LogStore, OverBudget, Repeated } from '../store/index.ts'
import type { Settings } from './hands.ts'
import { shownLimits } from './prompt-for.ts'
import { readState, type ReadState } from './read-state.ts'

/** Facts about the session rather than about the round that happens to be open. */
const SESSION_LEVEL: ReadonlySet<EventType> = new Set<EventType>([
  'session.created',
  'session.changed',
  'session.forked',
  'session.archived',
  'session.deleted',
  'tool.reconciled',
  'context.cleared',
  'message.deleted',
  'compact.summary',
])

/** What is appended if it can be stored, and `passed` milliseconds before it. */
interface Extra {
  readonly events: readonly NewEvent[]
  readonly passed: number
}

const NOTHING: Extra = { events: [], passed: 0 }

/** What the next commit stores. */
const nothingUnstored = () => ({
  events: [] as NewEvent[],
  consumed: [] as string[],
  looked: [] as string[],
  blobs: [] as Blob[],
  jobs: [] as KnownJob[],
  audit: [] as AuditRecord[],
})

type OpenSettings = Pick<Settings, 'historyMessages' | 'contextTokens' | 'snapshotEvents'>

/**
 * A session in the hands of its only writer. What is appended is folded at once and stored by the next `flush`, all
 * of it in one commit.
 */
export class OwnedSession {
  readonly id: string
  state: SessionState
  /** called after each commit */
  onStored: (() => void) | undefined
  readonly #store: LogStore
  readonly #clock: Clock
  readonly #epoch: number
  #stored: number
  /** the event by which the round that was running when this owner came is taken over, or ends; 0 where none was */
  #foundUntil: number
  #unstored = nothingUnstored()
  /** with which number of the log inputs were looked at */
  readonly #seen = new Map<string, number>()
  /** when the last event of a round happened, or this owner came; not where the wall clock can move it */
  #lastTick: number
  #isStoring = false
  readonly #settings: OpenSettings
  #snapshotAt: number

  private constructor(
    store: LogStore,
    clock: Clock,
    id: string,
    epoch: number,
    { state, snapshotAt }: ReadState,
    settings: OpenSettings,
  ) {
    this.#store = store
    this.#clock = clock
    this.id = id
    this.#epoch = epoch
    this.state = state
    this.#stored = state.seq
    this.#lastTick = ticksOf(clock)
    this.#foundUntil = state.round?.rest === null ? Infinity : 0
    this.#settings = settings
    this.#snapshotAt = snapshotAt
  }

  static async open(
    store: LogStore,
    clock: Clock,
    id: string,
    settings: OpenSettings,
  ): Promise<OwnedSession | Elsewhere | undefined> {
    const claimed = await store.claim(id)
    if (claimed?.kind !== 'owned') return claimed
    const read = await readState(store, id, shownLimits(settings))
    return new OwnedSession(store, clock, id, claimed.epoch, read, settings)
  }

  append(...happenings: readonly Happening[]): void {
    for (const happening of happenings) {
      const { passed } = this
      const event = this.#event(happening, passed)
      // What is said of another round takes no time from the open one.
      if (event.requestId !== null && happening.requestId === undefined) this.#lastTick += passed
      this.#take(event)
    }
  }

  /** Milliseconds since the last event of a round, by a clock that nobody sets; whole ones, the rest is for the next. */
  get passed(): number {
    return this.found ? 0 : Math.max(0, Math.floor(ticksOf(this.#clock) - this.#lastTick))
  }

  /** A round was running when this owner came, and is not taken over yet: nobody drives it. */
  get found(): boolean {
    return this.state.seq < this.#foundUntil
  }

  #event({ type, data, requestId: other }: Happening, passed: number): NewEvent {
    const at = this.#clock.now()
    const { round } = this.state
    const own = type === 'round.started' ? data.requestId : SESSION_LEVEL.has(type) ? null : (round?.requestId ?? null)
    const requestId = other ?? own
    const event = { id: newId(), type, v: 1, at, requestId, data } as NewEvent
    if (requestId === null) return event
    return { ...event, ms: round && other === undefined ? drivenBefore(round, type, passed) : 0 }
  }

  #take(event: NewEvent): void {
    this.#checkWritable()
    const { round } = this.state
    this.#unstored.events.push(event)
    this.#fold(event)
    const about = this.state.round ?? round
    const isOther = event.requestId !== null && event.requestId !== about?.requestId
    this.#unstored.audit.push(...this.#auditOf(event, isOther ? null : about))
  }

  #fold(event: NewEvent): void {
    const { found } = this
    evolve(this.state, { ...event, sessionId: this.id, seq: this.state.seq + 1 })
    if (!found || (this.state.round && event.type !== 'round.resumed')) return
    this.#foundUntil = this.state.seq
    this.#lastTick = ticksOf(this.#clock)
  }

  #auditOf(event: NewEvent, round: Round | null): readonly AuditRecord[] {
    return auditOf(event, { sessionId: this.id, actor: this.state.actor, round })
  }

  /** What is appended while a commit is under way would be taken for stored when that commit returns. */
  #checkWritable(): void {
    if (this.#isStoring) throw new Error(`session ${this.id} was written to while it was being stored`)
  }

  /** These inputs are in the log with the next flush. */
  consume(inputId: string): void {
    this.#checkWritable()
    this.#unstored.consumed.push(inputId)
  }

  /** These have to wait on: until the log is longer than with the next flush, nobody needs to look at them again. */
  look(inputs: readonly Input[]): void {
    this.#checkWritable()
    const { seq } = this.state
    this.#unstored.looked = inputs.filter(({ id, seen }) => (this.#seen.get(id) ?? seen) !== seq).map(({ id }) => id)
  }

  /** What is recorded with the next flush besides what its events are recorded as. */
  record(record: AuditRecord): void {
    this.#checkWritable()
    this.#unstored.audit.push(record)
  }

  keep(blob: Blob): void {
    this.#checkWritable()
    this.#unstored.blobs.push(blob)
  }

  /** The bytes of a file that came with what is not stored yet. */
  unstored(hash: string): Uint8Array | undefined {
    return this.#unstored.blobs.find((blob) => blob.hash === hash)?.bytes
  }

  /** To be done once it is stored. */
  enqueue(job: Omit<KnownJob, 'runAt'>): void {
    this.#unstored.jobs.push({ ...job, runAt: this.#clock.now() })
  }

  /** Forgets what was appended and not stored, for when the store takes it never: the session is what its log says. */
  async revert(): Promise<void> {
    this.#unstored = nothingUnstored()
    this.state = (await readState(this.#store, this.id, shownLimits(this.#settings))).state
    if (this.found) this.#foundUntil = Infinity
  }

  /** Stores what was appended. A store that cannot write now is asked again until the process stops. */
  async flush(signal: AbortSignal): Promise<void> {
    if (await this.#persist(signal)) throw new Error('what was appended does not fit a budget')
  }

  /** Stores what was appended, or nothing of it where it does not fit a budget: then the session is what its log says. */
  async flushWithin(signal: AbortSignal): Promise<OverBudget | undefined> {
    const over = await this.#persist(signal)
    if (over) await this.revert()
    return over
  }

  /**
   * Appends and stores, together with what was appended before. What does not fit a budget is not appended, the rest
   * is stored all the same, and the caller hears why.
   */
  async appendWithin(signal: AbortSignal, ...happenings: readonly Happening[]): Promise<OverBudget | undefined> {
    const over = await this.#persist(signal, this.#atOnce(happenings))
    // Only what was to be appended sets anything aside: without it the rest fits.
    if (over) await this.flush(signal)
    return over
  }

  /**
   * Stores the start of a round, and under its claim once. Nobody was promised anything yet: a store that cannot write
   * is not asked again. `happenings` are appended if they fit a budget.
   */
  async storeStart(
    claim: Claim | undefined,
    happenings: readonly Happening[],
  ): Promise<Repeated | OverBudget | undefined> {
    const refused = await this.#commit(this.#atOnce(happenings), claim)
    return refused?.kind === 'over' ? ((await this.#commit(NOTHING, claim)) ?? refused) : refused
  }

  /** All of them happen at one moment: only the first has time before it. */
  #atOnce(happenings: readonly Happening[]): Extra {
    const { passed } = this
    return { events: happenings.map((happening, at) => this.#event(happening, at === 0 ? passed : 0)), passed }
  }

  async #persist(signal: AbortSignal, extra = NOTHING): Promise<OverBudget | undefined> {
    for (let wait = 50; ; wait = Math.min(wait * 2, 2000)) {
      try {
        return (await this.#commit(extra)) as OverBudget | undefined
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== 'STORE_UNAVAILABLE') throw error
        await later(wait)
        if (isStopping(signal)) throw new Stopping('stopped while the store could not write', { cause: error })
      }
    }
  }

  async #commit(extra: Extra, claim?: Claim): Promise<Repeated | OverBudget | undefined> {
    this.#checkWritable()
    const { events, consumed, looked, blobs, jobs } = this.#unstored
    if ([events, consumed, looked, extra.events].every(({ length }) => length === 0)) return undefined
    const audit = [...this.#unstored.audit, ...extra.events.flatMap((event) => this.#auditOf(event, this.state.round))]
    const change: Change = {
      sessionId: this.id,
      epoch: this.#epoch,
      expected: this.#stored,
      events: [...events, ...extra.events],
      ...(consumed.length > 0 && { consumed }),
      ...(looked.length > 0 && { looked }),
      ...(blobs.length > 0 && { blobs }),
      ...(jobs.length > 0 && { jobs }),
      ...(audit.length > 0 && { audit }),
      ...(claim && { claim }),
    }
    this.#isStoring = true
    const result = await this.#store.commit(change).finally(() => (this.#isStoring = false))
    if (result.kind === 'conflict') throw new Fenced(`session ${this.id} has another owner (${result.reason})`)
    if (result.kind !== 'committed') return result
    this.#stored += change.events.length
    for (const event of extra.events) this.#fold(event)
    if (extra.events.length > 0) this.#lastTick += extra.passed
    for (const id of consumed) this.#seen.delete(id)
    for (const id of looked) this.#seen.set(id, this.#stored)
    this.#unstored = nothingUnstored()
    this.#keepSnapshot()
    this.onStored?.()
    return undefined
  }

  /** So that whoever opens the session next need not read all of its log. */
  #keepSnapshot(): void {
    const { state } = this
    if (state.round || state.deleted || state.seq < this.#snapshotAt + this.#settings.snapshotEvents) return
    this.#snapshotAt = state.seq
    forgetUnshown(state.history, shownLimits(this.#settings))
    const snapshot = { seq: state.seq, version: SNAPSHOT_VERSION, body: snapshotOf(state) }
    // Nobody waits for it, and nothing but time is lost with it.
    this.#store.putSnapshot(this.id, snapshot).catch(() => {})
  }
}
