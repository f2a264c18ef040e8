import type { Input, MessageInput, QueuedMessage } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import { actorKey } from '../lib/key-of.ts'
import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { close, isHopeless, needsSlot, nextStep, startOfRound } from '../session/index.ts'
import type { Blob, Claim } from '../store/index.ts'
import type { Hands } from './hands.ts'
import { endsRounds, Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import { RoundSlot } from './round-slot.ts'
import { runRound, timeLeft } from './run-round.ts'
import { Stopping, Taken } from './session-errors.ts'
import type { Slots } from './slots.ts'
import { stoppingProblem } from './stopping-problem.ts'
import { takeOverRound } from './take-over-round.ts'
import type { WhyStopped } from './why-stopped.ts'

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
  /** What is in memory cannot be trusted any more; the session is opened anew when somebody needs it. */
  lost = false
  /** how many callers hold this session in their hands just now */
  users = 0
  readonly #hands: Hands
  readonly #slot: RoundSlot
  readonly #draining: AbortSignal
  readonly #stopping: AbortSignal
  readonly #onLost: LiveOptions['onLost']
  #driving: Promise<void> | undefined
  #again = false
  #running: AbortController | undefined
  #queueing: AbortController | undefined
  #onQueueing = Promise.withResolvers<void>()

  constructor(options: LiveOptions) {
    this.session = options.session
    this.mailbox = new Mailbox(options.session, options.hands.clock, options.inputs)
    this.#hands = options.hands
    this.#slot = new RoundSlot(options.session, options.slots, options.suspects)
    this.#draining = options.draining
    this.#stopping = options.stopping
    this.#onLost = options.onLost
    this.lastUsed = options.hands.clock.now()
  }

  /** Nothing open, nothing waiting: a message can start at once. */
  get idle(): boolean {
    return !this.#driving && !this.session.state.round && this.mailbox.isEmpty
  }

  /** Driven, but only to store the end of its round. */
  get finishing(): boolean {
    return this.#driving !== undefined && !this.session.state.round && this.mailbox.isEmpty
  }

  /** A round is open and does not rest, or something waits to be folded in: somebody must go on with it. */
  get hasWork(): boolean {
    return this.session.state.round?.rest === null || !this.mailbox.isEmpty
  }

  get active(): boolean {
    return this.#driving !== undefined || this.users > 0
  }

  /** A message for an idle session: resolves when it is on disk, in the same commit as the start of its round. */
  start(
    message: MessageInput,
    files: readonly Blob[],
    claim: Claim | undefined,
    slot: () => void,
  ): Promise<Claim | undefined> {
    const { session } = this
    this.#slot.hold(slot)
    session.append(...startOfRound(message))
    for (const file of files) session.keep(file)
    if (claim) session.claim(claim)
    return new Promise((resolve, reject) => {
      session.unpromised = { stored: () => resolve(undefined) }
      this.#driving = this.#drive().catch((error: unknown) => {
        if (error instanceof Taken) resolve(error.claim)
        else
          reject(
            error instanceof Stopping
              ? stoppingProblem(error)
              : error instanceof Error
                ? error
                : new Error(String(error)),
          )
      })
    })
  }

  /** Something that was stored for this session. */
  push(input: Input): void {
    this.mailbox.put(input)
    const { body } = input
    const round = this.session.state.round
    // Whatever came is folded in now, not when the session gets its slot; what must wait for it costs no place in the line.
    if (!this.session.found || endsRounds(body)) {
      this.#queueing?.abort()
      this.#queueing = undefined
    }
    if (body.kind === 'cancel') {
      if (round?.requestId === body.requestId) this.#stop('cancel')
    } else if ((body.kind === 'message' && body.interrupt) || body.kind === 'delete') this.#stop('cancel')
    this.wake()
  }

  /** Goes on with whatever is to be done. */
  wake(): void {
    this.lastUsed = this.#hands.clock.now()
    if (this.#driving) this.#again = true
    else this.#driving = this.#drive().catch(() => {})
  }

  /** Resolves when nothing is being done for this session, or nothing but driving a round. */
  async settled(roundsToo: boolean): Promise<void> {
    const wait = (): boolean => roundsToo || (!this.session.state.round && !this.#queueing)
    while (this.#driving && wait())
      await Promise.race([this.#driving, ...(roundsToo ? [] : [this.#onQueueing.promise])])
  }

  #stop(why: WhyStopped): void {
    this.#running?.abort(why)
  }

  /** Drives until there is nothing to do now. Throws only what the sender of a fresh message must hear. */
  async #drive(): Promise<void> {
    try {
      do {
        this.#again = false
        try {
          while (await this.#next()) this.lastUsed = this.#hands.clock.now()
        } catch (error) {
          await this.#failed(error)
          // The round is over; others may be waiting for it.
          this.#again = true
          this.#slot.giveBack()
        }
      } while (this.#again && !this.lost)
    } finally {
      this.#slot.giveBack()
      this.#driving = undefined
    }
  }

  #lose(): void {
    this.lost = true
    this.#onLost()
  }

  /** One round, or as much of it as can be done now; false when there is nothing left to do. */
  async #next(): Promise<boolean> {
    const { session } = this
    this.mailbox.fold()
    if (session.state.deleted) {
      await session.flush(this.#stopping)
      this.#lose()
      return false
    }
    const message = session.state.round ? undefined : this.mailbox.nextMessage()
    if (!session.state.round && (!message || this.#draining.aborted)) {
      await session.flush(this.#stopping)
      return false
    }
    if (this.#needsSlot() && !(await this.#waitForSlot(message))) return !this.#draining.aborted
    if (session.found && !session.state.round?.cancelled) await takeOverRound(session, this.mailbox, this.#stopping)
    if (message && !session.state.round) this.mailbox.begin(message)
    const rest = await this.#run()
    this.#slot.giveBack()
    return rest.kind === 'ended'
  }

  /** Resting and ending take no slot. */
  #needsSlot(): boolean {
    if (this.#slot.isHeld) return false
    const { found, state } = this.session
    const { round } = state
    if (!round) return true
    if (found) return !round.cancelled && !isHopeless(round)
    return needsSlot(nextStep(round, this.#hands.clock.now(), this.session.passed))
  }

  async #waitForSlot(message: QueuedMessage | undefined): Promise<boolean> {
    const actor = this.session.state.round?.started.actor ?? message?.body.actor
    // A decision is not stored without what follows from it: a round that rests in the log is nobody's to go on with.
    const looked = this.mailbox.all.length
    if (!this.session.state.round || this.session.found) await this.session.flush(this.#stopping)
    // What came meanwhile is folded in before anything is waited for.
    if (this.mailbox.all.length !== looked) return false
    const queueing = (this.#queueing = new AbortController())
    this.#onQueueing.resolve()
    this.#onQueueing = Promise.withResolvers()
    const signal = AbortSignal.any([queueing.signal, this.#draining])
    const taken = await this.#slot.take(actor ? actorKey(actor) : '', signal)
    if (this.#queueing === queueing) this.#queueing = undefined
    return taken
  }

  async #run() {
    const running = (this.#running = new AbortController())
    const stop = (): void => running.abort('stopping' satisfies WhyStopped)
    if (this.#stopping.aborted) stop()
    this.#stopping.addEventListener('abort', stop)
    const time = this.#watchTime(() => running.abort('timeout' satisfies WhyStopped))
    try {
      return await runRound({
        session: this.session,
        mailbox: this.mailbox,
        hands: this.#hands,
        signal: running.signal,
      })
    } finally {
      time.stop()
      this.#stopping.removeEventListener('abort', stop)
      this.#running = undefined
      // Where the round broke off, because another owner has the session, say, its calls are told to stop.
      stop()
    }
  }

  /** Tells when the time of the round is up; what a person takes to answer does not count, so it is looked at again. */
  #watchTime(onOver: () => void): { stop(): void } {
    let timer: NodeJS.Timeout
    const left = (): number => {
      const { round } = this.session.state
      return round ? timeLeft(round, this.session.passed) : 0
    }
    const wasAsked = (): boolean =>
      this.session.state.round?.calls.some(({ question, answers }) => question !== null || answers.length > 0) ?? false
    const arm = (ms: number): void => {
      timer = setTimeout(() => (wasAsked() && left() > 0 ? arm(left()) : onOver()), Math.min(ms, LONGEST_TIMER_MS))
    }
    arm(left())
    return { stop: () => clearTimeout(timer) }
  }

  /** A bug in a step still ends its round; what cannot be stored is left to the next owner. */
  async #failed(error: unknown): Promise<void> {
    const fresh = this.session.unpromised !== undefined
    const { round } = this.session.state
    if (!fresh && round && isBug(error)) {
      const why = error instanceof Problem ? error.message : 'Segno made a mistake.'
      if (await this.#end(why)) return
      // It may be what was appended that cannot be stored: then the round ends where the log has it.
      await this.#end(why, () => this.session.revert())
    }
    this.#lose()
    if (fresh) throw error
  }

  /** False if the end cannot be stored either: the log still has the round, and the next owner goes on from there. */
  async #end(why: string, before = async (): Promise<void> => {}): Promise<boolean> {
    try {
      await before()
      const more = { text: `(This could not be finished: ${why})`, error: why }
      this.session.append(...close(this.session.state.round, 'error', more))
      await this.session.flush(this.#stopping)
      return true
    } catch {
      return false
    }
  }
}

function isBug(error: unknown): boolean {
  return error instanceof Error && error.name !== 'Fenced' && !(error instanceof Stopping)
}
