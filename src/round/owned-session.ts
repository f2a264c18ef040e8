import { auditOf } from '../audit/index.ts'
import type { AuditRecord } from '../contract/audit.ts'
import type { AutomationEvent } from '../contract/automation.ts'
import type { EventType, EventDraft, NewEvent } from '../contract/event.ts'
import type { Input } from '../contract/input.ts'
import type { JobWork } from '../contract/job.ts'
import { isStoreAway } from '../contract/problem.ts'
import { ticksOf, type Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import { forgetUnshown } from '../context/index.ts'
import {
  runningTimeBefore,
  evolve,
  SNAPSHOT_VERSION,
  snapshotOf,
  type Round,
  type SessionState,
} from '../session/index.ts'
import { Fenced, Stopping, isStopping } from './stopping.ts'
import { untilStored, type Blob, type Change, type Claim, type LogStore } from '../store/index.ts'
import type { OverBudget, OwnedElsewhere, Ownership, Repeated, StoredPart } from '../store/index.ts'
import type { Deps, Settings } from './deps.ts'
import { outboxOf, type HappenedRound } from './outbox-of.ts'
import { shownLimits } from './prompt-for.ts'
import { readState, type ReadState } from './read-state.ts'
import { NOTHING, nothingUnstored, type Extra } from './unstored.ts'

/** Events of the session rather than of its open round. */
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

type OpenSettings = Pick<Settings, 'historyMessages' | 'contextTokens' | 'snapshotEvents'>

/** A session as its owner writes it: appended events are folded at once and stored by the next `flush` in one commit. */
export class OwnedSession {
  readonly id: string
  state: SessionState
  /** called after each commit */
  onStored: (() => void) | undefined
  readonly #store: LogStore
  readonly #clock: Clock
  readonly #epoch: number
  /** the head of the log when an owner was evicted; 0 if none was */
  readonly evictedAt: number
  #stored: number
  /** the event that takes over or ends the round that this owner found running; 0 if there was none */
  #foundUntil: number
  #unstored = nothingUnstored()
  /** the head of the log when each input was last looked at */
  readonly #seen = new Map<string, number>()
  /** hashes of the parts that are stored for this session */
  readonly #named = new Set<string>()
  /** the monotonic time of the last event of a round, or of the start of this ownership */
  #lastTick: number
  #isStoring = false
  #isGivenUp = false
  readonly #settings: OpenSettings
  readonly #wants: Deps['wants']
  #snapshotAt: number

  private constructor(
    store: LogStore,
    clock: Clock,
    id: string,
    { epoch, evictedAt = 0 }: Ownership,
    { state, snapshotAt }: ReadState,
    settings: OpenSettings,
    wants: Deps['wants'],
  ) {
    this.#store = store
    this.#clock = clock
    this.id = id
    this.#epoch = epoch
    this.evictedAt = evictedAt
    this.state = state
    this.#stored = state.seq
    this.#lastTick = ticksOf(clock)
    this.#foundUntil = state.round?.rest === null ? Infinity : 0
    this.#settings = settings
    this.#wants = wants
    this.#snapshotAt = snapshotAt
  }

  static async open(
    store: LogStore,
    clock: Clock,
    id: string,
    settings: OpenSettings,
    wants: Deps['wants'],
  ): Promise<OwnedSession | OwnedElsewhere | undefined> {
    const claimed = await store.claim(id)
    if (claimed?.kind !== 'owned') return claimed
    const read = await readState(store, id, shownLimits(settings))
    return new OwnedSession(store, clock, id, claimed, read, settings, wants)
  }

  append(...drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      const { passed } = this
      const event = this.#event(draft, passed)
      // An event of another round does not count for the open one.
      if (event.requestId !== null && draft.requestId === undefined) this.#lastTick += passed
      this.#take(event)
    }
  }

  /** Whole milliseconds since the last event of a round, by a monotonic clock. */
  get passed(): number {
    return this.found ? 0 : Math.max(0, Math.floor(ticksOf(this.#clock) - this.#lastTick))
  }

  /** This owner found a round running and has not taken it over yet. */
  get found(): boolean {
    return this.state.seq < this.#foundUntil
  }

  #event({ type, data, requestId: other }: EventDraft, passed: number): NewEvent {
    const at = this.#clock.now()
    const { round } = this.state
    const own = type === 'round.started' ? data.requestId : SESSION_LEVEL.has(type) ? null : (round?.requestId ?? null)
    const requestId = other ?? own
    const event = { id: newId(), type, v: 1, at, requestId, data } as NewEvent
    if (requestId === null) return event
    return { ...event, ms: round && other === undefined ? runningTimeBefore(round, type, passed) : 0 }
  }

  #take(event: NewEvent): void {
    this.#checkWritable()
    const { round } = this.state
    this.#unstored.events.push(event)
    this.#fold(event)
    const about = this.state.round ?? round
    const isOther = event.requestId !== null && event.requestId !== about?.requestId
    const its = isOther ? null : about
    this.#unstored.audit.push(...this.#auditOf(event, its))
    this.#unstored.outbox.push(...this.#outboxOf(event, its, this.state.seq))
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

  #outboxOf(event: NewEvent, round: HappenedRound | null, seq: number): readonly AutomationEvent[] {
    const { actor, workspaceId } = this.state
    const about = { sessionId: this.id, workspaceId, actor, seq, round }
    const told = outboxOf(event, about, this.#wants(actor.tenant))
    return told ? [told] : []
  }

  /** Events appended during a commit would be taken for stored when it returns. */
  #checkWritable(): void {
    if (this.#isStoring) throw new Error(`session ${this.id} was written to while it was being stored`)
  }

  /** The input is removed with the next flush. */
  consume(inputId: string): void {
    this.#checkWritable()
    this.#unstored.consumed.push(inputId)
  }

  /** Marks inputs that must wait, so that nobody looks at them again before the log grows. */
  look(inputs: readonly Input[]): void {
    this.#checkWritable()
    const { seq } = this.state
    this.#unstored.deferred = inputs.filter(({ id, seen }) => (this.#seen.get(id) ?? seen) !== seq).map(({ id }) => id)
  }

  /** Adds an audit record besides those of the events. */
  record(record: AuditRecord): void {
    this.#checkWritable()
    this.#unstored.audit.push(record)
  }

  /** Stores texts that the next events name, unless this owner has done so before. */
  nameParts(parts: readonly StoredPart[]): void {
    this.#checkWritable()
    const { parts: unstored } = this.#unstored
    for (const part of parts) {
      const isKnown = this.#named.has(part.hash) || unstored.some(({ hash }) => hash === part.hash)
      if (!isKnown) unstored.push(part)
    }
  }

  addBlob(blob: Blob): void {
    this.#checkWritable()
    this.#unstored.blobs.push(blob)
  }

  /** The bytes of a file that is not stored yet. */
  unstored(hash: string): Uint8Array | undefined {
    return this.#unstored.blobs.find((blob) => blob.hash === hash)?.bytes
  }

  /** Adds a job that is stored with the next flush, and due after `ms`. */
  enqueue(job: JobWork, ms = 0): void {
    this.#unstored.jobs.push({ ...job, runAt: this.#clock.now() + ms })
  }

  /** Nothing more is stored. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  /** Drops unstored events and reads the state from the log again. */
  async revert(): Promise<void> {
    this.#unstored = nothingUnstored()
    this.state = (await readState(this.#store, this.id, shownLimits(this.#settings))).state
    if (this.found) this.#foundUntil = Infinity
  }

  /** Stores what was appended, and retries until the process stops if the store cannot write. */
  async flush(signal: AbortSignal): Promise<void> {
    if (await this.#persist(signal)) throw new Error('what was appended does not fit a budget')
  }

  /** Stores what was appended, or drops all of it if it exceeds a budget. */
  async flushWithin(signal: AbortSignal): Promise<OverBudget | undefined> {
    const over = await this.#persist(signal)
    if (over) await this.revert()
    return over
  }

  /** Appends and stores these events with the earlier ones; if they exceed a budget, only the earlier ones. */
  async appendWithin(signal: AbortSignal, ...drafts: readonly EventDraft[]): Promise<OverBudget | undefined> {
    const over = await this.#persist(signal, this.#atOnce(drafts))
    // Only these events reserve anything, so the rest fits.
    if (over) await this.flush(signal)
    return over
  }

  /**
   * Stores the start of a round, once per claim and without retries, because nothing was acknowledged yet. `drafts` are
   * appended if they fit a budget.
   */
  async storeStart(
    claim: Claim | undefined,
    drafts: readonly EventDraft[],
  ): Promise<Repeated | OverBudget | undefined> {
    const refused = await this.#commit(this.#atOnce(drafts), claim)
    return refused?.kind === 'over' ? ((await this.#commit(NOTHING, claim)) ?? refused) : refused
  }

  /** Only the first of these events has time before it. */
  #atOnce(drafts: readonly EventDraft[]): Extra {
    const { passed } = this
    return { events: drafts.map((draft, at) => this.#event(draft, at === 0 ? passed : 0)), passed }
  }

  async #persist(signal: AbortSignal, extra = NOTHING): Promise<OverBudget | undefined> {
    try {
      const store = () => this.#commit(extra) as Promise<OverBudget | undefined>
      return await untilStored(store, () => isStopping(signal))
    } catch (error) {
      throw isStoreAway(error) ? new Stopping('stopped while the store could not write', { cause: error }) : error
    }
  }

  async #commit(extra: Extra, claim?: Claim): Promise<Repeated | OverBudget | undefined> {
    if (this.#isGivenUp) throw new Fenced(`session ${this.id} was given up`)
    this.#checkWritable()
    const { events, consumed, deferred, blobs, jobs, parts } = this.#unstored
    if ([events, consumed, deferred, extra.events].every(({ length }) => length === 0)) return undefined
    const audit = [...this.#unstored.audit, ...extra.events.flatMap((event) => this.#auditOf(event, this.state.round))]
    const extraOutbox = extra.events.flatMap((event, at) =>
      this.#outboxOf(event, this.state.round, this.state.seq + at + 1),
    )
    const outbox = [...this.#unstored.outbox, ...extraOutbox]
    const change: Change = {
      sessionId: this.id,
      epoch: this.#epoch,
      expected: this.#stored,
      events: [...events, ...extra.events],
      ...(consumed.length > 0 && { consumed }),
      ...(deferred.length > 0 && { deferred }),
      ...(blobs.length > 0 && { blobs }),
      ...(jobs.length > 0 && { jobs }),
      ...(outbox.length > 0 && { outbox }),
      ...(parts.length > 0 && { parts }),
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
    for (const { hash } of parts) this.#named.add(hash)
    for (const id of deferred) this.#seen.set(id, this.#stored)
    this.#unstored = nothingUnstored()
    // A summary fell, and what it stood for is shown again.
    if (this.state.history.isIncomplete) await this.revert()
    this.#keepSnapshot()
    this.onStored?.()
    return undefined
  }

  #keepSnapshot(): void {
    const { state } = this
    if (state.round || state.deleted || state.seq < this.#snapshotAt + this.#settings.snapshotEvents) return
    this.#snapshotAt = state.seq
    forgetUnshown(state.history, shownLimits(this.#settings))
    const snapshot = { seq: state.seq, version: SNAPSHOT_VERSION, body: snapshotOf(state) }
    // Nobody needs it; without it the next owner only reads more.
    this.#store.putSnapshot(this.id, snapshot).catch(() => {})
  }
}
