import type { Input, MessageInput, QueuedMessage } from '../contract/input.ts'
import { isStoreAway, Problem } from '../contract/problem.ts'
import { actorKey } from '../lib/key-of.ts'
import { close, isHopeless, lostAsk, needsSlot, nextStep } from '../session/index.ts'
import type { Blob, Claim } from '../store/index.ts'
import type { Deps } from './deps.ts'
import { Activity, LOOKING, type Driven } from './activity.ts'
import { endsRounds, Mailbox, type OwnInput } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import { performOwn } from './perform-own.ts'
import type { PreparedTurn } from './prepare-turn.ts'
import { RoundSlot, type Slots } from './slots.ts'
import { runRound, startRound, takeOverRound } from './run-round.ts'
import { checkMayAct, Fenced, Stopping, stoppingProblem, type WhyStopped } from './stopping.ts'
import { watchTime } from './watch-time.ts'
import type { Work } from './work.ts'

export interface LiveOptions {
  readonly session: OwnedSession
  readonly inputs: readonly Input[]
  readonly deps: Deps
  readonly slots: Slots
  /** a single slot for rounds that may have killed the process */
  readonly suspects: Slots
  /** aborted when no new round may begin */
  readonly draining: AbortSignal
  /** aborted when the process stops or gives up its sessions */
  readonly stopping: AbortSignal
  /** the session must be forgotten, because its state is no longer valid; `isAtRest`: nothing of it is still running */
  readonly onLost: (isAtRest: boolean) => void
}

/** A session in memory with its mailbox, which runs one round at a time. */
export class LiveSession {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  lastUsed: number
  /** how many callers are using it now */
  users = 0
  /** a call with a possible effect did not stop in time */
  leftBehind = false
  readonly #with: LiveOptions
  readonly #slot: RoundSlot
  readonly #activity: Activity

  constructor(options: LiveOptions) {
    this.#with = options
    this.session = options.session
    this.mailbox = new Mailbox(options.session, options.inputs)
    this.#slot = new RoundSlot(options.session, options.slots, options.suspects)
    this.#activity = new Activity(() => this.session.state.round !== null)
    this.lastUsed = options.deps.clock.now()
  }

  /** A message can start at once. */
  get idle(): boolean {
    return this.#activity.kind === 'resting' && this.#hasNothing
  }

  /** It is only storing the end of its round. */
  get finishing(): boolean {
    return this.#activity.kind === 'driven' && this.#hasNothing
  }

  get #hasNothing(): boolean {
    return !this.session.state.round && this.mailbox.isEmpty
  }

  /** A round is running, or inputs wait. */
  get hasWork(): boolean {
    return this.session.state.round?.rest === null || !this.mailbox.isEmpty
  }

  get active(): boolean {
    return this.#activity.kind === 'driven' || this.users > 0
  }

  /** It waits for a slot and another node could continue it. */
  get isInLine(): boolean {
    return this.#activity.isInLine && !this.session.found
  }

  get lost(): boolean {
    return this.#activity.kind === 'lost'
  }

  /**
   * Starts a round in an idle session; resolves when it is on disk, or with the earlier claim of the same key. `fenced`:
   * nothing was stored, because the session has another owner.
   */
  async start(
    message: MessageInput,
    files: readonly Blob[],
    claim: Claim | undefined,
    slot: () => void,
  ): Promise<Claim | 'fenced' | undefined> {
    this.#slot.hold(slot)
    const drive = this.#activity.begin()
    try {
      if (this.#with.stopping.aborted) throw stoppingProblem()
      const { turn, taken } = await startRound(this.#work(this.#with.stopping), message, files, claim)
      if (taken) this.#lose(true)
      else void this.#drive(drive, turn)
      return taken
    } catch (error) {
      this.#lose()
      if (error instanceof Fenced) return 'fenced'
      throw error
    } finally {
      if (this.lost) this.#slot.giveBack()
    }
  }

  /** Takes a stored input. */
  push(input: Input): void {
    if (!this.mailbox.put(input)) return
    const { body } = input
    // It leaves the line to fold the input now, unless the input has to wait for the slot anyway.
    if (!this.session.found || endsRounds(body)) this.#activity.leaveLine()
    const isMeant = body.kind !== 'cancel' || body.requestId === this.session.state.round?.requestId
    if (endsRounds(body) && isMeant) this.#activity.stopRound('cancel')
    this.wake()
  }

  /** Does whatever there is to do. */
  wake(): void {
    this.lastUsed = this.#with.deps.clock.now()
    if (this.#activity.kind === 'resting') void this.#drive(this.#activity.begin())
    else this.#activity.lookAgain()
  }

  settled(roundsToo: boolean): Promise<void> {
    return this.#activity.settled(roundsToo)
  }

  #work(signal: AbortSignal): Work {
    return { session: this.session, mailbox: this.mailbox, deps: this.#with.deps, signal }
  }

  /** Works until there is nothing to do; `turn` is the first of a round whose start was just stored. */
  async #drive(drive: Driven, turn?: PreparedTurn): Promise<void> {
    let begun = turn
    do {
      drive.again = false
      try {
        for (; await this.#next(begun); begun = undefined) this.lastUsed = this.#with.deps.clock.now()
      } catch (error) {
        await this.#failed(error)
        // The round is over, and other messages may be waiting.
        drive.again = true
        this.#slot.giveBack()
      }
      begun = undefined
    } while (drive.again && !this.lost)
    this.#slot.giveBack()
    this.#activity.rest()
  }

  #lose(isAtRest = false): void {
    this.#activity.lose()
    this.#with.onLost(isAtRest)
  }

  /** Another node may own the session by now: stores and sends nothing more, and resets the text of an open turn. */
  giveUp(): void {
    const { round } = this.session.state
    if (round?.openTurn) {
      const { turn } = round.openTurn
      const { requestId } = round
      this.#with.deps.pulse({ type: 'reset', sessionId: this.session.id, requestId, turn, reason: 'owner_lost' })
    }
    this.session.giveUp()
    this.#lose()
  }

  /** Leaves the session to a node with a free slot. */
  letGo(): void {
    this.session.giveUp()
    this.#activity.leaveLine()
    this.#lose(true)
  }

  /** Runs one round as far as possible; false if there is nothing left to do. */
  async #next(begun?: PreparedTurn): Promise<boolean> {
    const { session } = this
    if (this.lost) throw new Stopping('given up')
    checkMayAct(this.#with.deps)
    this.mailbox.fold()
    if (session.state.deleted) {
      await session.flush(this.#with.stopping)
      this.#lose(true)
      return false
    }
    if (!session.state.round) {
      const own = this.mailbox.nextOwn()
      // It was asked for before the process stopped, and is not asked again.
      if (own && session.state.asking?.requestId === null) this.mailbox.done(own)
      session.append(...lostAsk(session.state.asking))
      const next = this.#with.draining.aborted ? undefined : this.mailbox.nextOwn()
      if (next) return this.#ask(next)
    }
    const message = session.state.round ? undefined : this.mailbox.nextMessage()
    if (!session.state.round && (!message || this.#with.draining.aborted)) {
      await session.flush(this.#with.stopping)
      return false
    }
    if (this.#needsSlot() && !(await this.#waitForSlot(message))) return !this.#with.draining.aborted
    if (session.found && !session.state.round?.cancelled)
      await takeOverRound(session, this.mailbox, this.#with.stopping)
    if (message && !session.state.round) this.mailbox.begin(message)
    const isOver = await this.#running((work) => runRound(work, begun))
    this.#slot.giveBack()
    return isOver
  }

  #needsSlot(): boolean {
    if (this.#slot.isHeld) return false
    const { found, state } = this.session
    const { round } = state
    if (!round) return true
    if (found) return !round.cancelled && !isHopeless(round)
    return needsSlot(nextStep(round, this.#with.deps.clock.now(), this.session.passed))
  }

  async #waitForSlot(message: QueuedMessage | undefined): Promise<boolean> {
    const actor = this.session.state.round?.started.actor ?? message?.body.actor ?? this.session.state.actor
    // A decision of an open round is stored together with its consequences, because nobody continues a resting round.
    const looked = this.mailbox.all.length
    if (!this.session.state.round || this.session.found) await this.session.flush(this.#with.stopping)
    // Inputs that came meanwhile are folded before waiting.
    if (this.mailbox.all.length !== looked) return false
    const leave = new AbortController()
    this.#activity.do({ kind: 'inLine', leave })
    const signal = AbortSignal.any([leave.signal, this.#with.draining, this.#with.stopping])
    const taken = await this.#slot.take(actorKey(actor), signal)
    this.#activity.do(LOOKING)
    // It may have been lost while it got the slot.
    if (this.lost) this.#slot.giveBack()
    return taken && !this.lost
  }

  async #ask(input: OwnInput): Promise<boolean> {
    if (this.#needsSlot() && !(await this.#waitForSlot(undefined))) return !this.#with.draining.aborted
    await this.#running((work) => performOwn(work, input))
    this.#slot.giveBack()
    return true
  }

  async #running<T>(perform: (work: Work) => Promise<T>): Promise<T> {
    const running = new AbortController()
    const stop = (): void => running.abort('stopping' satisfies WhyStopped)
    if (this.#with.stopping.aborted) stop()
    this.#with.stopping.addEventListener('abort', stop)
    const time = watchTime(this.session, () => running.abort('timeout' satisfies WhyStopped))
    this.#activity.do({ kind: 'running', stop: running })
    try {
      return await perform(this.#work(running.signal))
    } finally {
      time.stop()
      this.#with.stopping.removeEventListener('abort', stop)
      this.#activity.do(LOOKING)
      // Stops calls that still run, if the round broke off.
      stop()
    }
  }

  /** After a bug the round still ends; if that cannot be stored, the next owner continues it. */
  async #failed(error: unknown): Promise<void> {
    if (error instanceof Stopping && error.leftBehind) this.leftBehind = true
    const { round } = this.session.state
    if (round && isBug(error)) {
      const why = error instanceof Problem ? error.message : 'Segno made a mistake.'
      if (await this.#end(why)) return
      // If the appended events cannot be stored, the round ends without them.
      await this.#end(why, () => this.session.revert())
    }
    this.#lose()
  }

  /** False if the end cannot be stored either. */
  async #end(why: string, before = async (): Promise<void> => {}): Promise<boolean> {
    try {
      await before()
      const more = { text: `(This could not be finished: ${why})`, error: why }
      this.session.append(...lostAsk(this.session.state.asking), ...close(this.session.state.round, 'error', more))
      await this.session.flush(this.#with.stopping)
      return true
    } catch {
      return false
    }
  }
}

function isBug(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Fenced) && !(error instanceof Stopping) && !isStoreAway(error)
}
