import { droppedResult } from '../audit/index.ts'
import type { Input, InputBody, QueuedMessage } from '../contract/input.ts'
import { actorKey } from '../lib/key-of.ts'
import { actsInOrder, foldInput, interruption, startOfRound } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/** ids of inputs that are known again when they are told or read twice */
const REMEMBERED = 1000

/** What came from outside for one session and is not in its log yet, in the order it came. */
export class Mailbox {
  readonly #session: OwnedSession
  #inputs: Input[]
  /** the last that came, by their ids: what is folded in waits in the store until that is stored too */
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

  /** how many messages wait to become rounds */
  get messages(): number {
    return this.#inputs.reduce((n, { body }) => n + (body.kind === 'message' ? 1 : 0), 0)
  }

  /** Adds to how many messages each actor has waiting here. */
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

  /** Resolves when something comes, or the signal aborts. */
  async arrival(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>()
    const stop = (): void => aborted.resolve()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await Promise.race([this.#arrived.promise, aborted.promise])
    signal.removeEventListener('abort', stop)
  }

  /** The message whose round is next: one that does not wait its turn, or the oldest. */
  nextMessage(): QueuedMessage | undefined {
    return this.#interrupting() ?? this.#inputs.find(isMessage)
  }

  #interrupting(): QueuedMessage | undefined {
    return this.#inputs.filter(isMessage).find(({ body }) => body.interrupt)
  }

  /** A message becomes a round. */
  begin(input: QueuedMessage): void {
    this.#session.append(...startOfRound(input.body))
    this.#session.consume(input.id)
    this.#inputs = this.#inputs.filter((one) => one !== input)
  }

  /** Everything that waits now. */
  get all(): readonly Input[] {
    return this.#inputs
  }

  /** What was folded in was not stored: it waits again, before what came since. */
  restore(before: readonly Input[]): void {
    this.#inputs = [...before, ...this.#inputs.filter((input) => !before.includes(input))]
  }

  /** Turns what can be into events; true if anything could. */
  fold(): boolean {
    const before = this.#inputs.length
    if (before === 0) return false
    const { state } = this.#session
    // What acts at once may take a message away that something else waits behind.
    for (const input of this.#inputs.filter((one) => !actsInOrder(one))) {
      this.#take(input)
      if (!state.deleted) continue
      this.#session.enqueue({ kind: 'purge', payload: { sessionId: this.#session.id } })
      this.#inputs = []
      return true
    }
    this.#session.append(...interruption(state, this.#inputs))
    // An interrupting message starts before all that waited when it came.
    const inOrder = this.#interrupting() ? [] : this.#inputs.filter(actsInOrder)
    for (const input of inOrder) if (!this.#take(input)) break
    return this.#inputs.length < before
  }

  /**
   * Of a round that nobody goes on with yet only the end can be asked for. A decision that was made before is kept too,
   * although nothing comes of it any more.
   */
  #isForFound(input: Input): boolean {
    if (input.body.kind !== 'decision') return input.body.kind === 'cancel'
    const { round } = this.#session.state
    return this.#inputs
      .slice(this.#inputs.indexOf(input) + 1)
      .some(({ body }) => endsRounds(body) && (body.kind !== 'cancel' || body.requestId === round?.requestId))
  }

  /** False if it has to wait. */
  #take(input: Input): boolean {
    const session = this.#session
    if (session.found && !this.#isForFound(input)) return false
    const queued = new Map(this.#inputs.filter(isMessage).map((one) => [one.body.requestId, one]))
    const folded = foldInput(session.state, input, queued)
    if (folded === 'keep') return false
    session.append(...folded.events)
    if (folded.late && input.body.kind === 'result')
      session.record(droppedResult(session.id, session.state.actor.tenant, input.body, input.at))
    const gone: readonly Input[] = folded.instead ? [input, folded.instead] : [input]
    for (const { id } of gone) session.consume(id)
    this.#inputs = this.#inputs.filter((one) => !gone.includes(one))
    return true
  }
}

/** Does it end the round that is open? */
export function endsRounds(body: InputBody): boolean {
  return body.kind === 'cancel' || body.kind === 'delete' || (body.kind === 'message' && body.interrupt)
}

const isMessage = (input: Input): input is QueuedMessage => input.body.kind === 'message'
