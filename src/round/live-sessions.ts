import { Problem } from '../contract/problem.ts'
import type { Elsewhere, InboxStore, LogStore } from '../store/index.ts'
import { LiveSession, type LiveOptions } from './live-session.ts'
import { OwnedSession } from './owned-session.ts'

type Shared = Omit<LiveOptions, 'session' | 'inputs' | 'onLost'>

/** The sessions this process owns and has in memory, at most `most`. */
export class LiveSessions {
  readonly #store: LogStore & InboxStore
  readonly #most: number
  readonly #shared: Shared
  readonly #opening = new Map<string, Promise<LiveSession | Elsewhere | undefined>>()
  readonly #open = new Map<string, LiveSession>()

  constructor(store: LogStore & InboxStore, most: number, shared: Shared) {
    this.#store = store
    this.#most = most
    this.#shared = shared
    // Only an owner stores events: who rests here while another does so knows nothing of the session any more.
    store.subscribeElsewhere((sessionId) => {
      const one = this.#open.get(sessionId)
      if (one && !one.active) this.#forget(sessionId, one)
    })
  }

  /** Those that are open or being opened. */
  get size(): number {
    return this.#opening.size
  }

  get all(): Iterable<LiveSession> {
    return this.#open.values()
  }

  /** One that is open. */
  get(sessionId: string): LiveSession | undefined {
    return this.#open.get(sessionId)
  }

  has(sessionId: string): boolean {
    return this.#opening.has(sessionId)
  }

  /** Nothing more can be opened, and nothing is idle that could make room. */
  get isBusy(): boolean {
    return this.size >= this.#most && this.#open.values().every((one) => one.active)
  }

  /** Is there room for one more, perhaps instead of the one that was idle longest? That one is dropped then. */
  makeRoom(): boolean {
    if (this.size < this.#most) return true
    let oldest: [string, LiveSession] | undefined
    for (const entry of this.#open) {
      if (!entry[1].active && (!oldest || entry[1].lastUsed < oldest[1].lastUsed)) oldest = entry
    }
    if (oldest) this.#forget(...oldest)
    return oldest !== undefined
  }

  /** Becomes the owner of a session and goes on with it, or says who is; undefined if there is none. */
  open(sessionId: string): Promise<LiveSession | Elsewhere | undefined> {
    const known = this.#opening.get(sessionId)
    if (known) return known
    if (!this.makeRoom()) {
      const why = `All ${this.#most} coordinators are busy; try again shortly.`
      return Promise.reject(new Problem('RATE_LIMITED', why, { retryAfterMs: 1000 }))
    }
    const opening = this.#load(sessionId)
    this.#opening.set(sessionId, opening)
    opening.then(
      (one) => {
        if (!(one instanceof LiveSession)) return void this.#opening.delete(sessionId)
        this.#open.set(sessionId, one)
        if (one.hasWork) one.wake()
      },
      () => {
        this.#opening.delete(sessionId)
        // It may be claimed already; whoever can read it may have it.
        this.#store.release(sessionId)
      },
    )
    return opening
  }

  async #load(sessionId: string): Promise<LiveSession | Elsewhere | undefined> {
    const { clock, settings } = this.#shared.hands
    const session = await OwnedSession.open(this.#store, clock, sessionId, settings)
    if (!(session instanceof OwnedSession)) return session
    const inputs = await this.#store.pendingInputs(sessionId)
    const onLost = (): void => this.#forget(sessionId, one)
    const one: LiveSession = new LiveSession({ ...this.#shared, session, inputs, onLost })
    return one
  }

  #forget(sessionId: string, which: LiveSession): void {
    if (this.#open.get(sessionId) !== which) return
    this.#open.delete(sessionId)
    this.#opening.delete(sessionId)
    this.#store.release(sessionId)
  }

  /** Forgets those that nobody used since. */
  sweep(before: number): void {
    for (const [id, one] of this.#open) if (!one.active && one.lastUsed < before) this.#forget(id, one)
  }

  /** Resolves when nothing is being done for the session. With `roundsToo` false a running round is not waited for. */
  async settled(sessionId: string, roundsToo: boolean): Promise<void> {
    const one = await this.#opening.get(sessionId)
    if (one instanceof LiveSession) await one.settled(roundsToo)
  }

  async allSettled(): Promise<void> {
    // A session that cannot be opened now has nothing to wait for.
    await Promise.all([...this.#opening.keys()].map((id) => this.settled(id, true).catch(() => {})))
  }
}
