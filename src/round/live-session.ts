import type { Input, MessageInput, QueuedMessage } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import { actorKey } from '../lib/key-of.ts'
import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { close, drivingTime, isHopeless, needsSlot, nextStep } from '../session/index.ts'
import type { Blob, Claim } from '../store/index.ts'
import type { Hands } from './hands.ts'
import { Activity, LOOKING, type Driven } from './activity.ts'
import { endsRounds, Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import type { PreparedTurn } from './prepare-turn.ts'
import { roundSlot, type RoundSlot, type Slots } from './slots.ts'
import { runRound, startRound, takeOverRound } from './run-round.ts'
import { Fenced, Stopping, stoppingProblem, type WhyStopped } from './stopping.ts'
import type { Work } from './work.ts'

export interface LiveOptions {
  readonly session: OwnedSession
  readonly inputs: readonly Input[]
  readonly hands: Hands
  readonly slots: Slots
  /** one for all rounds that may be what kills the process */
  readonly suspects: Slots
  /** aborted when no new round may begin */
  readonly draining: AbortSignal
  /** aborted when the process stops */
  readonly stopping: AbortSignal
  /** what is in memory can no longer be trusted: forget it; the log has the truth */
  readonly onLost: () => void
}

/** A session with its mailbox, driven one round at a time. */
export class LiveSession {
  readonly session: OwnedSession
  readonly mailbox: Mailbox
  lastUsed: number
  /** how many callers hold this session in their hands just now */
  users = 0
  readonly #with: LiveOptions
  readonly #slot: RoundSlot
  readonly #activity: Activity

  constructor(options: LiveOptions) {
    this.#with = options
    this.session = options.session
    this.mailbox = new Mailbox(options.session, options.inputs)
    this.#slot = roundSlot(options.session, options.slots, options.suspects)
    this.#activity = new Activity(() => this.session.state.round !== null)
    this.lastUsed = options.hands.clock.now()
  }

  /** Nothing open, nothing waiting: a message can start at once. */
  get idle(): boolean {
    return this.#activity.kind === 'resting' && this.#hasNothing
  }

  /** Driven, but only to store the end of its round. */
  get finishing(): boolean {
    return this.#activity.kind === 'driven' && this.#hasNothing
  }

  get #hasNothing(): boolean {
    return !this.session.state.round && this.mailbox.isEmpty
  }

  /** A round is open and does not rest, or something waits to be folded in: somebody must go on with it. */
  get hasWork(): boolean {
    return this.session.state.round?.rest === null || !this.mailbox.isEmpty
  }

  get active(): boolean {
    return this.#activity.kind === 'driven' || this.users > 0
  }

  get lost(): boolean {
    return this.#activity.kind === 'lost'
  }

  /**
   * A message for an idle session: resolves when it is on disk, in the same commit as the start of its round, or with
   * who was first under its claim. Fenced: nothing was stored, the session has another owner.
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
      if (taken) this.#lose()
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

  /** Something that was stored for this session. */
  push(input: Input): void {
    if (!this.mailbox.put(input)) return
    const { body } = input
    // Whatever came is folded in now, not when the session gets its slot; what must wait for it costs no place in the line.
    if (!this.session.found || endsRounds(body)) this.#activity.leaveLine()
    const isMeant = body.kind !== 'cancel' || body.requestId === this.session.state.round?.requestId
    if (endsRounds(body) && isMeant) this.#activity.stopRound('cancel')
    this.wake()
  }

  /** Goes on with whatever is to be done. */
  wake(): void {
    this.lastUsed = this.#with.hands.clock.now()
    if (this.#activity.kind === 'resting') void this.#drive(this.#activity.begin())
    else this.#activity.lookAgain()
  }

  /** Resolves when nothing is being done for this session, or nothing but driving a round. */
  settled(roundsToo: boolean): Promise<void> {
    return this.#activity.settled(roundsToo)
  }

  #work(signal: AbortSignal): Work {
    return { session: this.session, mailbox: this.mailbox, hands: this.#with.hands, signal }
  }

  /** Drives until there is nothing to do now. `turn`: the first of a round whose start was just stored. */
  async #drive(drive: Driven, turn?: PreparedTurn): Promise<void> {
    let begun = turn
    do {
      drive.again = false
      try {
        for (; await this.#next(begun); begun = undefined) this.lastUsed = this.#with.hands.clock.now()
      } catch (error) {
        await this.#failed(error)
        // The round is over; others may be waiting for it.
        drive.again = true
        this.#slot.giveBack()
      }
      begun = undefined
    } while (drive.again && !this.lost)
    this.#slot.giveBack()
    this.#activity.rest()
  }

  #lose(): void {
    this.#activity.lose()
    this.#with.onLost()
  }

  /** One round, or as much of it as can be done now; false when there is nothing left to do. */
  async #next(begun?: PreparedTurn): Promise<boolean> {
    const { session } = this
    this.mailbox.fold()
    if (session.state.deleted) {
      await session.flush(this.#with.stopping)
      this.#lose()
      return false
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
    const isOver = await this.#run(begun)
    this.#slot.giveBack()
    return isOver
  }

  /** Resting and ending take no slot. */
  #needsSlot(): boolean {
    if (this.#slot.isHeld) return false
    const { found, state } = this.session
    const { round } = state
    if (!round) return true
    if (found) return !round.cancelled && !isHopeless(round)
    return needsSlot(nextStep(round, this.#with.hands.clock.now(), this.session.passed))
  }

  async #waitForSlot(message: QueuedMessage | undefined): Promise<boolean> {
    const actor = this.session.state.round?.started.actor ?? message?.body.actor
    // A decision is not stored without what follows from it: a round that rests in the log is nobody's to go on with.
    const looked = this.mailbox.all.length
    if (!this.session.state.round || this.session.found) await this.session.flush(this.#with.stopping)
    // What came meanwhile is folded in before anything is waited for.
    if (this.mailbox.all.length !== looked) return false
    const leave = new AbortController()
    this.#activity.do({ kind: 'inLine', leave })
    const signal = AbortSignal.any([leave.signal, this.#with.draining])
    const taken = await this.#slot.take(actor ? actorKey(actor) : '', signal)
    this.#activity.do(LOOKING)
    return taken
  }

  async #run(begun: PreparedTurn | undefined): Promise<boolean> {
    const running = new AbortController()
    const stop = (): void => running.abort('stopping' satisfies WhyStopped)
    if (this.#with.stopping.aborted) stop()
    this.#with.stopping.addEventListener('abort', stop)
    const time = watchTime(this.session, () => running.abort('timeout' satisfies WhyStopped))
    this.#activity.do({ kind: 'running', stop: running })
    try {
      return await runRound(this.#work(running.signal), begun)
    } finally {
      time.stop()
      this.#with.stopping.removeEventListener('abort', stop)
      this.#activity.do(LOOKING)
      // Where the round broke off, because another owner has the session, say, its calls are told to stop.
      stop()
    }
  }

  /** A bug in a step still ends its round; what cannot be stored is left to the next owner. */
  async #failed(error: unknown): Promise<void> {
    const { round } = this.session.state
    if (round && isBug(error)) {
      const why = error instanceof Problem ? error.message : 'Segno made a mistake.'
      if (await this.#end(why)) return
      // It may be what was appended that cannot be stored: then the round ends where the log has it.
      await this.#end(why, () => this.session.revert())
    }
    this.#lose()
  }

  /** False if the end cannot be stored either: the log still has the round, and the next owner goes on from there. */
  async #end(why: string, before = async (): Promise<void> => {}): Promise<boolean> {
    try {
      await before()
      const more = { text: `(This could not be finished: ${why})`, error: why }
      this.session.append(...close(this.session.state.round, 'error', more))
      await this.session.flush(this.#with.stopping)
      return true
    } catch {
      return false
    }
  }
}

function isBug(error: unknown): boolean {
  return error instanceof Error && !(error instanceof Fenced) && !(error instanceof Stopping)
}

/** Tells when the time of the round is up; what a person takes to answer does not count, so it is looked at again. */
function watchTime(session: OwnedSession, onOver: () => void): { stop(): void } {
  let timer: NodeJS.Timeout
  const left = (): number => {
    const { round } = session.state
    return round ? Math.max(0, round.started.limits.totalMs - drivingTime(round, session.passed)) : 0
  }
  const wasAsked = (): boolean =>
    session.state.round?.calls.some(({ question, answers }) => question !== null || answers.length > 0) ?? false
  const arm = (ms: number): void => {
    timer = setTimeout(() => (wasAsked() && left() > 0 ? arm(left()) : onOver()), Math.min(ms, LONGEST_TIMER_MS))
  }
  arm(left())
  return { stop: () => clearTimeout(timer) }
}
