import { droppedResult } from '../audit/index.ts'
import type { Input, InputBody, QueuedMessage } from '../contract/input.ts'
import { actorKey } from '../lib/key-of.ts'
import { actsInOrder, foldInput, interruption, lostAsk, startOfRound } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/** How many ids are kept to recognise an input that comes twice. */
const REMEMBERED = 1000

/** The inputs of one session that are not in its log yet, in their order. */
export class Mailbox {
  readonly #session: OwnedSession
  #inputs: Input[]
  /** ids of recent inputs, which stay in the store until their events are stored */
  readonly #came: Set<string>
  #arrived = Promise.withResolvers<void>()

  constructor(session: OwnedSession, inputs: readonly Input[]) {
    this.#session = session
    this.#inputs = [...inputs]
    this.#came = new Set(inputs.map(({ id }) => id))
  }

  get isEmpty(): boolean {
    return this.#inputs.length === 0
  }

  get messages(): number {
    return this.#inputs.reduce((n, { body }) => n + (body.kind === 'message' ? 1 : 0), 0)
  }

  /** Adds the number of waiting messages of each actor. */
  countActors(counts: Map<string, number>): void {
    for (const { body } of this.#inputs) {
      if (body.kind !== 'message') continue
      const who = actorKey(body.actor)
      counts.set(who, (counts.get(who) ?? 0) + 1)
    }
  }

  /** False if it came before. */
  put(input: Input): boolean {
    if (this.#came.has(input.id) || this.#inputs.some(({ id }) => id === input.id)) return false
    this.#came.add(input.id)
    const [oldest = ''] = this.#came
    if (this.#came.size > REMEMBERED) this.#came.delete(oldest)
    this.#inputs.push(input)
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
    return true
  }

  /** Resolves when the next input comes. */
  get arrival(): Promise<void> {
    return this.#arrived.promise
  }

  /** The message of the next round: an interrupting one, or the oldest. */
  nextMessage(): QueuedMessage | undefined {
    return this.#interrupting() ?? this.#inputs.find(isMessage)
  }

  #interrupting(): QueuedMessage | undefined {
    return this.#inputs.filter(isMessage).find(({ body }) => body.interrupt)
  }

  /** The next input for which a model is asked, if nothing that acts in order is before it. */
  nextOwn(): OwnInput | undefined {
    const next = this.#inputs.find((input) => isOwn(input) || actsInOrder(input))
    return next && isOwn(next) ? next : undefined
  }

  /** Takes an input out that leads to no event by itself. */
  done(input: Input): void {
    this.#session.consume(input.id)
    this.#inputs = this.#inputs.filter((one) => one !== input)
  }

  begin(input: QueuedMessage): void {
    this.#session.append(...lostAsk(this.#session.state.asking), ...startOfRound(input.body, this.#session.state))
    this.#session.consume(input.id)
    this.#inputs = this.#inputs.filter((one) => one !== input)
  }

  get all(): readonly Input[] {
    return this.#inputs
  }

  /** Puts folded inputs back, before newer ones, because they were not stored. */
  restore(before: readonly Input[]): void {
    this.#inputs = [...before, ...this.#inputs.filter((input) => !before.includes(input))]
  }

  /** Turns inputs into events where possible; true if there were any. */
  fold(): boolean {
    const before = this.#inputs.length
    if (before === 0) return false
    const { state } = this.#session
    // Inputs that act at once come first, because they may remove messages that others wait for.
    for (const input of this.#inputs.filter((one) => !actsInOrder(one))) {
      this.#take(input)
      if (!state.deleted) continue
      this.#session.enqueue({ kind: 'purge', payload: { sessionId: this.#session.id } })
      this.#inputs = []
      return true
    }
    this.#session.append(...interruption(state, this.#inputs))
    // An interrupting message comes before all others.
    const inOrder = this.#interrupting() ? [] : this.#inputs.filter(actsInOrder)
    for (const input of inOrder) if (!this.#take(input)) break
    return this.#inputs.length < before
  }

  /** A round that was found running can only be cancelled; a decision is folded only if its round is ended after it. */
  #isForFound(input: Input): boolean {
    if (input.body.kind !== 'decision') return input.body.kind === 'cancel'
    const { round } = this.#session.state
    return this.#inputs
      .slice(this.#inputs.indexOf(input) + 1)
      .some(({ body }) => endsRounds(body) && (body.kind !== 'cancel' || body.requestId === round?.requestId))
  }

  /** False if the input has to wait. */
  #take(input: Input): boolean {
    const session = this.#session
    if (session.found && !this.#isForFound(input)) return false
    const queued = new Map(this.#inputs.filter(isMessage).map((one) => [one.body.requestId, one]))
    const folded = foldInput(session.state, input, queued)
    if (folded === 'keep') return false
    session.append(...folded.events)
    if (folded.late && input.body.kind === 'result')
      session.record(droppedResult(session.id, session.state.actor.tenant, input.body, input.at))
    const gone: readonly Input[] = folded.removed ? [input, folded.removed] : [input]
    for (const { id } of gone) session.consume(id)
    this.#inputs = this.#inputs.filter((one) => !gone.includes(one))
    return true
  }
}

/** Whether it ends an open round. */
export function endsRounds(body: InputBody): boolean {
  return body.kind === 'cancel' || body.kind === 'delete' || (body.kind === 'message' && body.interrupt)
}

/** An input for which Segno asks a model. */
export type OwnInput = Input & { readonly body: Extract<InputBody, { kind: 'compact' | 'title' }> }

const isOwn = (input: Input): input is OwnInput => input.body.kind === 'compact' || input.body.kind === 'title'

const isMessage = (input: Input): input is QueuedMessage => input.body.kind === 'message'
