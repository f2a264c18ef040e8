import type { EventData } from '../contract/event.ts'
import type { Input, MessageInput } from '../contract/input.ts'
import type { Clock } from '../lib/clock.ts'
import { foldInput, interruption, startOfRound } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

export type QueuedMessage = Input & { readonly body: MessageInput }

/** What came from outside for one session and is not in its log yet, in the order it came. */
export class Mailbox {
  readonly #session: OwnedSession
  readonly #clock: Clock
  #inputs: Input[]
  #arrived = Promise.withResolvers<void>()

  constructor(session: OwnedSession, clock: Clock, inputs: readonly Input[]) {
    this.#session = session
    this.#clock = clock
    this.#inputs = [...inputs]
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
      const who = `${body.actor.tenant} ${body.actor.id}`
      counts.set(who, (counts.get(who) ?? 0) + 1)
    }
  }

  /** What will have changed in the session once all of this is in its log. */
  changes(): EventData['session.changed'] {
    let changes: EventData['session.changed'] = {}
    for (const { body } of this.#inputs) {
      if (body.kind === 'archive') changes = { ...changes, archived: true }
      else if (body.kind === 'change') {
        const { kind: _, ...wanted } = body
        changes = { ...changes, ...wanted }
      }
    }
    return changes
  }

  has(inputId: string): boolean {
    return this.#inputs.some(({ id }) => id === inputId)
  }

  put(input: Input): void {
    this.#inputs.push(input)
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
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
    const messages = this.#inputs.filter((input): input is QueuedMessage => input.body.kind === 'message')
    return messages.find(({ body }) => body.interrupt) ?? messages[0]
  }

  cancels(requestId: string | undefined): boolean {
    return this.#inputs.some(({ body }) => body.kind === 'cancel' && body.requestId === requestId)
  }

  /** A message becomes a round. */
  begin(input: QueuedMessage): void {
    this.#session.append(...startOfRound(input.body))
    this.#session.consume(input.id)
    this.#inputs = this.#inputs.filter((one) => one !== input)
  }

  /** Turns what can be into events; true if anything could. */
  fold(): boolean {
    const before = this.#inputs.length
    if (before === 0) return false
    const session = this.#session
    session.append(...interruption(session.state, this.#inputs))
    const queued = new Set(this.#inputs.flatMap(({ body }) => (body.kind === 'message' ? [body.requestId] : [])))
    const kept: Input[] = []
    for (const input of this.#inputs) {
      const folded = foldInput(session.state, input, queued)
      if (folded === 'keep') {
        kept.push(input)
        continue
      }
      session.append(...folded.events)
      session.consume(input.id)
      if (session.state.deleted) {
        session.enqueue({ kind: 'purge', payload: { sessionId: session.id }, runAt: this.#clock.now() })
        this.#inputs = []
        return true
      }
    }
    this.#inputs = kept
    return kept.length < before
  }
}
