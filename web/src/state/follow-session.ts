import { ApiProblem, type FollowStatus, type Frame, type Session, type WireEvent } from '../../../src/client/index.ts'
import { client, wordsOf } from '../api/client.ts'
import { createLiveTurns, type LiveTurns } from '../log/live-turns.ts'
import { append, NO_LOG, prepend, type SessionLog } from '../log/session-log.ts'
import { createStore, type Store } from './store.ts'
import { seen, whenUnseen } from './waits.ts'

/** How far back a conversation is loaded at first, and with each step further back. */
const TAIL = 400
/** A page nobody looks at gives its connection back after this long: browsers have few. */
const UNSEEN_MS = 5000
/** The server was put back to an earlier state: so long it is left alone before everything is read again. */
const AGAIN_MS = 300
/** Why a connection is ended. Words and no errors: an error would hold on to everything that was there when it was made. */
const WHY = { closed: 'closed', unseen: 'unseen', withOutputs: 'with outputs', online: 'online' }

export interface Followed {
  /**
   * `away`: nobody looked at the page, so it is not connected. `gone`: it does not exist for us. `failed`: trying again
   * by itself would not help, see `error`; what was loaded before is still there.
   */
  readonly status: FollowStatus | 'away'
  readonly session?: Session
  readonly log: SessionLog
  readonly error?: string
}

export interface Follower {
  /** of the session */
  readonly id: string
  readonly state: Store<Followed>
  readonly live: LiveTurns
  /** Loads what comes before, at least back to an event; false when there is nothing. */
  loadEarlier(to?: number): Promise<boolean>
  /** Reads what the session is called, and its model, again. */
  refresh(): Promise<void>
  /** From now on with what tools put out; what is loaded is read again with it, as soon as that can be done. */
  showOutputs(): void
  /** Tries again after it failed. */
  again(): void
  close(): void
}

/** Follows one session for as long as the page shows it: what is stored, then what happens, across any break. */
export function followSession(id: string): Follower {
  const state = createStore<Followed>({ status: 'connecting', log: NO_LOG })
  const live = createLiveTurns((run) => (document.hidden ? setTimeout(run, 250) : requestAnimationFrame(run)))
  const closing = new AbortController()
  let connection = new AbortController()
  let outputs = false
  /** something was loaded without the outputs that are to be shown */
  let lacksOutputs = false
  let loading: Promise<boolean> | undefined

  const update = (change: Partial<Followed>): void => state.set({ ...state.get(), ...change })

  /** All events after one, or up to another. */
  async function eventsAfter(after: number, upTo?: number): Promise<readonly WireEvent[]> {
    const found: WireEvent[] = []
    const query = { after, outputs, limit: 1000, signal: closing.signal, ...(upTo !== undefined && { upTo }) }
    for await (const event of client.events(id, query)) found.push(event)
    return found
  }

  async function begin(): Promise<void> {
    const session = await client.session(id, closing.signal)
    const outputsBefore = outputs
    const first = await eventsAfter(Math.max(0, session.seq - TAIL))
    update({ session, log: append(NO_LOG, first), status: 'live' })
    if (outputs !== outputsBefore) lack()
  }

  async function readOutputs(): Promise<void> {
    while (lacksOutputs) {
      const { first, last } = state.get().log
      const again = await eventsAfter(first - 1, last)
      const { log } = state.get()
      // Where earlier events came meanwhile, those lack theirs.
      if (log.first !== first) continue
      lacksOutputs = false
      update({ log: append(append(NO_LOG, again), log.events) })
    }
  }

  /** What is loaded lacks outputs: the next connection begins with reading them. */
  function lack(): void {
    lacksOutputs = state.get().log.last > 0
    connection.abort(WHY.withOutputs)
  }

  async function refresh(): Promise<void> {
    update({ session: await client.session(id, closing.signal) })
  }

  function take(frames: readonly Frame[]): void {
    const stored: WireEvent[] = []
    for (const frame of frames) {
      if (frame.kind === 'delta') live.take(frame.delta)
      else if (frame.kind === 'reset') live.forget(frame.requestId, frame.turn)
      else {
        const { event } = frame
        stored.push(event)
        // At its place among the deltas: text that begins anew after it may come with it.
        if (event.type === 'round.resumed') live.forget(event.requestId ?? '', event.data.turn)
      }
    }
    if (stored.length === 0) return
    update({ log: append(state.get().log, stored) })
    for (const event of stored) settle(event)
  }

  function settle(event: WireEvent): void {
    if (event.type === 'message.assistant') live.forget(event.requestId ?? '', event.data.turn)
    else if (event.type === 'round.ended') live.end(event.requestId ?? '')
    else if (event.type === 'session.deleted') {
      update({ status: 'gone' })
      closing.abort(WHY.closed)
    } else if (event.type.startsWith('session.')) refresh().catch(() => {})
  }

  /** Everything before what is followed. */
  async function catchUp(): Promise<number> {
    if (state.get().session === undefined) await begin()
    await readOutputs()
    return state.get().log.last
  }

  function onStatus(status: FollowStatus, problem?: Error): void {
    if (status !== 'live' && status !== 'reconnecting') return
    update({ status: state.get().session ? status : 'connecting', ...(problem && { error: wordsOf(problem) }) })
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await seen(closing.signal)
      connection = new AbortController()
      const signal = AbortSignal.any([closing.signal, connection.signal])
      const stopLooking = whenUnseen(UNSEEN_MS, () => connection.abort(WHY.unseen))
      try {
        for await (const frames of client.follow(id, { after: catchUp, outputs, signal, onStatus })) take(frames)
        if (connection.signal.reason === WHY.unseen && state.get().session) update({ status: 'away' })
      } catch (error) {
        const status = error instanceof ApiProblem ? error.status : 0
        if (status !== 409) return update({ status: status === 404 ? 'gone' : 'failed', error: wordsOf(error) })
        // The log is shorter than what we have seen: the server was put back to an earlier state.
        state.set({ status: 'connecting', log: NO_LOG })
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
      } finally {
        stopLooking()
      }
    }
  }

  addEventListener('online', () => state.get().status !== 'live' && connection.abort(WHY.online), {
    signal: closing.signal,
  })
  void run()

  return {
    id,
    state,
    live,
    refresh,
    showOutputs() {
      if (outputs) return
      outputs = true
      lack()
    },
    again() {
      if (state.get().status !== 'failed') return
      update({ status: state.get().session ? 'reconnecting' : 'connecting' })
      void run()
    },
    loadEarlier(to = Infinity) {
      const { first } = state.get().log
      if (first <= 1) return Promise.resolve(false)
      const outputsBefore = outputs
      loading ??= eventsAfter(Math.max(0, Math.min(to, first) - 1 - TAIL), first - 1)
        .finally(() => {
          // Who hears of the new part may at once ask for the next one.
          loading = undefined
        })
        .then((earlier) => {
          if (earlier.length > 0) update({ log: prepend(state.get().log, earlier) })
          if (outputs !== outputsBefore) lack()
          return earlier.length > 0
        })
      return loading
    },
    close() {
      closing.abort(WHY.closed)
      live.clear()
    },
  }
}
