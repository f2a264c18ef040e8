import { get, request } from '../api/client.ts'
import { ApiProblem, wordsOf } from '../api/problem.ts'
import { readSse, type SseFrame } from '../api/read-sse.ts'
import type { Delta, Session, WireEvent } from '../api/shapes.ts'
import { createLiveTurns, type LiveTurns } from '../log/live-turns.ts'
import { append, NO_LOG, prepend, type SessionLog } from '../log/session-log.ts'
import { createStore, type Store } from './store.ts'

/** How far back a conversation is loaded at first, and with each step further back. */
const TAIL = 400
/** No frame and no ping for this long: the connection is dead, whatever the browser thinks. */
const SILENCE_MS = 40_000
/** A page nobody looks at gives its connection back after this long: browsers have few. */
const HIDDEN_MS = 60_000
/** A connection that lasted this long was a good one. */
const STABLE_MS = 3000
/** Why a connection is ended that was asked for without outputs. */
const OTHERWISE = 'otherwise'
const WAITS_MS = [300, 700, 1500, 3000, 6000]

export interface Followed {
  /** `gone`: it does not exist for us. `failed`: it cannot be shown, see `error`. */
  readonly status: 'loading' | 'live' | 'reconnecting' | 'gone' | 'failed'
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
  /** From now on with what tools put out; what is loaded is read again with it. */
  showOutputs(): Promise<void>
  close(): void
}

/** Follows one session for as long as the page shows it: what is stored, then what happens, across any break. */
export function followSession(id: string): Follower {
  const state = createStore<Followed>({ status: 'loading', log: NO_LOG })
  const live = createLiveTurns((run) => (document.hidden ? setTimeout(run, 250) : requestAnimationFrame(run)))
  const closing = new AbortController()
  const path = `/api/sessions/${encodeURIComponent(id)}`
  let shown = ''
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
    const first = await events(Math.max(0, session.seq - TAIL), 1000)
    update({ session, log: append(NO_LOG, first), status: 'live' })
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
    else if (event.type.startsWith('session.')) refresh().catch(() => {})
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
    silence = setTimeout(() => connection.abort(), SILENCE_MS)
  }

  async function run(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted;) {
      await seen(closing.signal)
      connection = new AbortController()
      const away = leaveWhenHidden(connection)
      heard()
      const since = Date.now()
      try {
        if (state.get().session === undefined) await begin()
        await follow(AbortSignal.any([closing.signal, connection.signal]))
        // A stream that ends is a server that stops, or one that finds us too slow.
        throw new ApiProblem(0, 'CUT', 'The connection to Segno ended.')
      } catch (error) {
        if (closing.signal.aborted) return
        if (connection.signal.reason === OTHERWISE) continue
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
        away()
        clearTimeout(silence)
      }
    }
  }

  void run()

  return {
    state,
    live,
    refresh,
    async showOutputs() {
      if (shown !== '') return
      shown = '&outputs=1'
      const { first, last } = state.get().log
      const again = await part(first - 1, last).catch(() => [])
      const { log } = state.get()
      // Where something was loaded meanwhile, the rest of it stays as it is.
      if (again.length > 0 && log.first === first) {
        update({ log: append(append(NO_LOG, again), log.events) })
      }
      if (isFollowing) connection.abort(OTHERWISE)
    },
    loadEarlier(to = Infinity) {
      const { first } = state.get().log
      if (first <= 1) return Promise.resolve(false)
      loading ??= part(Math.max(0, Math.min(to, first) - 1 - TAIL), first - 1)
        .finally(() => {
          // Who hears of the new part may at once ask for the next one.
          loading = undefined
        })
        .then((earlier) => {
          if (earlier.length > 0) update({ log: prepend(state.get().log, earlier) })
          return earlier.length > 0
        })
      return loading
    },
    close() {
      closing.abort()
      live.clear()
    },
  }
}

/** Trying again would not help: it is not there, or not for us. A key that is wanted is asked for elsewhere. */
const isFinal = ({ status }: ApiProblem): boolean =>
  status === 404 || status === 403 || status === 401 || status === 400

/** Resolves after a while, or as soon as the machine is online again or somebody looks. */
function nextTry(waitMs: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = (): void => {
      clearTimeout(timer)
      done.abort()
      resolve()
    }
    const timer = setTimeout(go, waitMs * (0.8 + Math.random() * 0.4))
    addEventListener('online', go, { signal: done.signal })
    until.addEventListener('abort', go, { signal: done.signal })
  })
}

/** Resolves when the page is visible. */
function seen(until: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    const done = new AbortController()
    const go = (): void => {
      done.abort()
      resolve()
    }
    document.addEventListener('visibilitychange', go, { signal: done.signal })
    until.addEventListener('abort', go, { signal: done.signal })
  })
}

function leaveWhenHidden(connection: AbortController): () => void {
  const done = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = (): void => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => connection.abort(), HIDDEN_MS)
  }
  document.addEventListener('visibilitychange', look, { signal: done.signal })
  look()
  return () => {
    clearTimeout(timer)
    done.abort()
  }
}
