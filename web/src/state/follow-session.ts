import { get, request } from '../api/client.ts'
import { ApiProblem, wordsOf } from '../api/problem.ts'
import { readSse, type SseFrame } from '../api/read-sse.ts'
import type { Delta, Session, WireEvent } from '../api/shapes.ts'
import { createLiveTurns, type LiveTurns } from '../log/live-turns.ts'
import { append, NO_LOG, prepend, type SessionLog } from '../log/session-log.ts'
import { createStore, type Store } from './store.ts'
import { nextTry, seen, whenUnseen } from './waits.ts'

/** How far back a conversation is loaded at first, and with each step further back. */
const TAIL = 400
/** No frame and no ping for this long: the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000
/** A page nobody looks at gives its connection back after this long: browsers have few. */
const UNSEEN_MS = 5000
/** A connection that lasted this long was a good one. */
const STABLE_MS = 3000
/** Why a connection is ended. Words and no errors: an error would hold on to everything that was there when it was made. */
const WHY = { closed: 'closed', silent: 'silent', unseen: 'unseen', withOutputs: 'with outputs' }
const WAITS_MS = [300, 700, 1500, 3000, 6000]

export interface Followed {
  /**
   * `away`: nobody looked at the page, so it is not connected. `gone`: it does not exist for us. `failed`: trying again
   * by itself would not help, see `error`; what was loaded before is still there.
   */
  readonly status: 'loading' | 'live' | 'away' | 'reconnecting' | 'gone' | 'failed'
  readonly session?: Session
  readonly log: SessionLog
  readonly error?: string
}

export interface Follower {
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
  const state = createStore<Followed>({ status: 'loading', log: NO_LOG })
  const live = createLiveTurns((run) => (document.hidden ? setTimeout(run, 250) : requestAnimationFrame(run)))
  const closing = new AbortController()
  const path = `/api/sessions/${encodeURIComponent(id)}`
  let shown = ''
  /** something was loaded without the outputs that are to be shown */
  let lacksOutputs = false
  let loading: Promise<boolean> | undefined

  const update = (change: Partial<Followed>): void => state.set({ ...state.get(), ...change })

  async function events(after: number, limit: number): Promise<readonly WireEvent[]> {
    const page = await get<{ items: readonly WireEvent[] }>(
      `${path}/events?after=${after}&limit=${limit}${shown}`,
      closing.signal,
    )
    return page.items
  }

  /** All events of a part of the log, however many. */
  async function part(after: number, last: number): Promise<readonly WireEvent[]> {
    const found: WireEvent[] = []
    for (let from = after; from < last;) {
      const more = await events(from, Math.min(1000, last - from))
      if (more.length === 0) break
      found.push(...more)
      from = more.at(-1)?.seq ?? last
    }
    return found
  }

  async function begin(): Promise<void> {
    const session = await get<Session>(path, closing.signal)
    const shownBefore = shown
    const first = await events(Math.max(0, session.seq - TAIL), 1000)
    update({ session, log: append(NO_LOG, first), status: 'live' })
    if (shown !== shownBefore) lack()
  }

  async function readOutputs(): Promise<void> {
    while (lacksOutputs) {
      const { first, last } = state.get().log
      const again = await part(first - 1, last)
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
    if (isFollowing) connection.abort(WHY.withOutputs)
  }

  async function refresh(): Promise<void> {
    update({ session: await get<Session>(path, closing.signal) })
  }

  function take(frames: readonly SseFrame[]): void {
    const stored: WireEvent[] = []
    for (const frame of frames) {
      if (frame.id !== undefined) stored.push(JSON.parse(frame.data) as WireEvent)
      else if (frame.event === 'delta') live.take(JSON.parse(frame.data) as Delta)
      else if (frame.event === 'reset') {
        const { requestId, turn } = JSON.parse(frame.data) as { requestId: string; turn: number }
        live.forget(requestId, turn)
      }
    }
    if (stored.length === 0) return
    update({ log: append(state.get().log, stored) })
    for (const event of stored) settle(event)
  }

  function settle(event: WireEvent): void {
    if (event.type === 'message.assistant') live.forget(event.requestId ?? '', event.data.turn)
    else if (event.type === 'round.resumed') live.forget(event.requestId ?? '', event.data.turn)
    else if (event.type === 'round.ended') live.end(event.requestId ?? '')
    else if (event.type === 'session.deleted') {
      update({ status: 'gone' })
      closing.abort(WHY.closed)
    } else if (event.type.startsWith('session.')) refresh().catch(() => {})
  }

  let isFollowing = false
  /** One connection, from the last event we have until it breaks. */
  async function follow(until: AbortSignal): Promise<void> {
    isFollowing = true
    const { body } = await request('GET', `${path}/events?after=${state.get().log.last}${shown}`, undefined, {
      signal: until,
      accept: 'text/event-stream',
    })
    if (!body) return
    update({ status: 'live' })
    for await (const frames of readSse(body)) {
      heard()
      take(frames)
    }
  }

  let silence: ReturnType<typeof setTimeout> | undefined
  let connection = new AbortController()
  function heard(): void {
    clearTimeout(silence)
    silence = setTimeout(() => connection.abort(WHY.silent), SILENCE_MS)
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      await seen(closing.signal)
      connection = new AbortController()
      const stopLooking = whenUnseen(UNSEEN_MS, () => connection.abort(WHY.unseen))
      heard()
      const since = Date.now()
      try {
        if (state.get().session === undefined) await begin()
        await readOutputs()
        await follow(AbortSignal.any([closing.signal, connection.signal]))
        // A stream that ends is a server that stops, or one that finds us too slow.
        throw new ApiProblem(0, 'CUT', 'The connection to Segno ended.')
      } catch (error) {
        if (closing.signal.aborted) return
        if (connection.signal.reason === WHY.withOutputs) continue
        if (connection.signal.reason === WHY.unseen) {
          if (state.get().session) update({ status: 'away' })
          continue
        }
        if (error instanceof ApiProblem && isFinal(error)) {
          update({ status: error.status === 404 ? 'gone' : 'failed', error: wordsOf(error) })
          return
        }
        // The log is shorter than what we have seen: the server was put back to an earlier state.
        if (error instanceof ApiProblem && error.status === 409) state.set({ status: 'loading', log: NO_LOG })
        else update({ status: state.get().session ? 'reconnecting' : 'loading', error: wordsOf(error) })
        if (Date.now() - since > STABLE_MS) failures = 0
        await nextTry(WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] ?? 0, closing.signal)
        failures += 1
      } finally {
        isFollowing = false
        stopLooking()
        clearTimeout(silence)
      }
    }
  }

  void run()

  return {
    state,
    live,
    refresh,
    showOutputs() {
      if (shown !== '') return
      shown = '&outputs=1'
      lack()
    },
    again() {
      if (state.get().status !== 'failed') return
      update({ status: state.get().session ? 'reconnecting' : 'loading' })
      void run()
    },
    loadEarlier(to = Infinity) {
      const { first } = state.get().log
      if (first <= 1) return Promise.resolve(false)
      const shownBefore = shown
      loading ??= part(Math.max(0, Math.min(to, first) - 1 - TAIL), first - 1)
        .finally(() => {
          // Who hears of the new part may at once ask for the next one.
          loading = undefined
        })
        .then((earlier) => {
          if (earlier.length > 0) update({ log: prepend(state.get().log, earlier) })
          if (shown !== shownBefore) lack()
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

/** Trying again would not help: it is not there, or not for us. A key that is wanted is asked for elsewhere. */
const isFinal = ({ status }: ApiProblem): boolean =>
  status === 404 || status === 403 || status === 401 || status === 400
