import { Problem } from '../contract/problem.ts'
import type { OwnedElsewhere, InboxStore, LogStore } from '../store/index.ts'
import { LiveSession, type LiveOptions } from './live-session.ts'
import { OwnedSession } from './owned-session.ts'

type Shared = Omit<LiveOptions, 'session' | 'inputs' | 'onLost'>

/** The sessions this process owns and has in memory, at most `most`. */
export class LiveSessions {
  readonly #store: LogStore & InboxStore
  readonly #most: number
  readonly #shared: Shared
  readonly #opening = new Map<string, Promise<LiveSession | OwnedElsewhere | undefined>>()
  readonly #open = new Map<string, LiveSession>()
  readonly #unwatch = new Map<string, () => void>()
  /** a call with a possible effect did not stop in time */
  leftBehind = false

  constructor(store: LogStore & InboxStore, most: number, shared: Shared) {
    this.#store = store
    this.#most = most
    this.#shared = shared
  }

  /** Sessions that are open or being opened. */
  get size(): number {
    return this.#opening.size
  }

  get all(): Iterable<LiveSession> {
    return this.#open.values()
  }

  get(sessionId: string): LiveSession | undefined {
    return this.#open.get(sessionId)
  }

  has(sessionId: string): boolean {
    return this.#opening.has(sessionId)
  }

  /** No session can be opened, and none is idle that could be dropped. */
  get isBusy(): boolean {
    return this.size >= this.#most && this.#open.values().every((one) => one.active)
  }

  /** Whether one more can be opened; drops the session that was idle longest, if needed. */
  makeRoom(): boolean {
    if (this.size < this.#most) return true
    let oldest: [string, LiveSession] | undefined
    for (const entry of this.#open) {
      if (!entry[1].active && (!oldest || entry[1].lastUsed < oldest[1].lastUsed)) oldest = entry
    }
    if (oldest) this.#forget(...oldest)
    return oldest !== undefined
  }

  /** Becomes the owner of a session and continues it, or returns its owner; undefined if there is no such session. */
  open(sessionId: string): Promise<LiveSession | OwnedElsewhere | undefined> {
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
        // It was given up meanwhile.
        if (this.#opening.get(sessionId) !== opening) return one instanceof LiveSession && one.giveUp()
        if (!(one instanceof LiveSession)) return void this.#opening.delete(sessionId)
        this.#open.set(sessionId, one)
        // Another owner stored something, so what is in memory is outdated.
        const unwatch = this.#store.watch(sessionId, () => one.active || this.#forget(sessionId, one))
        this.#unwatch.set(sessionId, unwatch)
        if (one.hasWork) one.wake()
        return undefined
      },
      () => {
        if (this.#opening.get(sessionId) !== opening) return
        this.#opening.delete(sessionId)
        // It may be claimed already.
        void this.#store.release(sessionId)
      },
    )
    return opening
  }

  async #load(sessionId: string): Promise<LiveSession | OwnedElsewhere | undefined> {
    const { clock, settings, wants } = this.#shared.deps
    const session = await OwnedSession.open(this.#store, clock, sessionId, settings, wants)
    if (!(session instanceof OwnedSession)) return session
    const inputs = await this.#store.pendingInputs(sessionId)
    const onLost = (isAtRest: boolean): void => this.#forget(sessionId, one, isAtRest)
    const one: LiveSession = new LiveSession({ ...this.#shared, session, inputs, onLost })
    return one
  }

  #forget(sessionId: string, which: LiveSession, isAtRest = true): void {
    if (this.#open.get(sessionId) !== which) return
    if (which.leftBehind) this.leftBehind = true
    this.#open.delete(sessionId)
    this.#opening.delete(sessionId)
    this.#unwatch.get(sessionId)?.()
    this.#unwatch.delete(sessionId)
    void this.#store.release(sessionId, isAtRest)
  }

  /** Forgets all sessions, because other nodes may own them by now. */
  giveUp(): void {
    for (const one of this.#open.values()) one.giveUp()
    this.#opening.clear()
  }

  /** Forgets sessions that were not used since. */
  sweep(before: number): void {
    for (const [id, one] of this.#open) if (!one.active && one.lastUsed < before) this.#forget(id, one)
  }

  async settled(sessionId: string, roundsToo: boolean): Promise<void> {
    const one = await this.#opening.get(sessionId)
    if (one instanceof LiveSession) await one.settled(roundsToo)
  }

  async allSettled(): Promise<void> {
    // A session that cannot be opened has nothing to wait for.
    await Promise.all([...this.#opening.keys()].map((id) => this.settled(id, true).catch(() => {})))
  }
}
