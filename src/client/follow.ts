import type { EventSourceMessage } from 'eventsource-parser'
import { Problem, type ProblemCode } from '../contract/problem.ts'
import { delay } from '../lib/delay.ts'
import { isIntegerFrom, isObject } from '../lib/type-guards.ts'
import { ApiProblem, unreachable, notSegno } from './problem.ts'
import { readSse } from './read-sse.ts'
import type { Request } from './request.ts'
import type { Delta, Frame, WireEvent } from './wire.ts'

/** `gone`: there is no such session for us. `failed`: trying again is useless. */
export type FollowStatus = 'connecting' | 'live' | 'reconnecting' | 'gone' | 'failed'

export interface FollowOptions {
  /** the last known event; a function is called before each connection */
  readonly after?: number | (() => Promise<number>)
  /** include tool outputs */
  readonly outputs?: boolean
  readonly signal?: AbortSignal
  /** `problem` says why it is not live. */
  onStatus?(status: FollowStatus, problem?: Problem): void
  /** without an event or ping for this long, the connection is dead */
  readonly silenceMs?: number
}

/** The server pings every 15 seconds. */
const SILENCE_MS = 40_000
/** After a connection of this length, waiting starts over. */
const STABLE_MS = 3000
const WAITS_MS = [300, 700, 1500, 3000, 6000]
const LONGEST_WAIT_MS = 60_000
/** Strings, because errors would keep their surroundings in memory. */
const SILENT = 'silent'
const LEFT = 'left'
const NOTHING_HEARD = 'Nothing was heard of Segno any more.'

/** The frames of a session, in batches, across reconnects: no event twice, none left out. Ends when it is aborted. */
export async function* follow(
  request: Request,
  sessionId: string,
  { after = 0, outputs = false, signal, onStatus, silenceMs = SILENCE_MS }: FollowOptions = {},
): AsyncGenerator<readonly Frame[], void> {
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events${outputs ? '?outputs=1' : ''}`
  let last = typeof after === 'number' ? after : 0
  let status: FollowStatus | undefined
  const setStatus = (next: FollowStatus, problem?: Problem): void => {
    if (next !== status) onStatus?.(next, problem)
    status = next
  }

  const isNew = (frame: Frame): boolean => {
    if (frame.kind !== 'event') return true
    if (frame.event.seq <= last) return false
    last = frame.event.seq
    return true
  }

  setStatus('connecting')
  for (let failures = 0; ; failures += 1) {
    if (signal?.aborted) return
    const since = Date.now()
    const stop = new AbortController()
    const leave = (): void => stop.abort(LEFT)
    signal?.addEventListener('abort', leave)
    const silence = watchSilence(silenceMs, () => stop.abort(SILENT))
    let problem: Problem
    try {
      if (typeof after === 'function') last = await after()
      const headers = { accept: 'text/event-stream', ...(last > 0 && { 'last-event-id': String(last) }) }
      const response = await request('GET', path, { signal: stop.signal, headers })
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
        throw notSegno(response)
      setStatus('live')
      for await (const messages of readSse(response.body, stop.signal)) {
        silence.reset()
        const frames = messages.flatMap((message) => frameIn(message) ?? []).filter(isNew)
        if (frames.length > 0) yield frames
        const error = messages.find(({ event }) => event === 'error')
        if (error) throw streamProblem(error.data)
      }
      problem = unreachable(stop.signal.reason === SILENT ? NOTHING_HEARD : 'The connection was closed.')
    } catch (error) {
      if (!stop.signal.aborted && !(error instanceof Problem)) throw error
      problem = error instanceof Problem ? error : unreachable(NOTHING_HEARD, error)
    } finally {
      silence.stop()
      signal?.removeEventListener('abort', leave)
      stop.abort(LEFT)
    }
    if (signal?.aborted) return
    if (isFinal(problem)) {
      setStatus(problem.status === 404 ? 'gone' : 'failed', problem)
      throw problem
    }
    setStatus('reconnecting', problem)
    if (Date.now() - since > STABLE_MS) failures = 0
    const waitMs = (WAITS_MS[failures] ?? LONGEST_WAIT_MS / 10) * (0.8 + Math.random() * 0.4)
    await delay(Math.min(Math.max(waitMs, problem.retryAfterMs ?? 0), LONGEST_WAIT_MS), signal)
  }
}

/** Whether trying again is useless. */
const isFinal = (problem: Problem): problem is ApiProblem =>
  problem instanceof ApiProblem && problem.status >= 400 && problem.status < 500 && problem.status !== 429

function frameIn({ id, event, data }: EventSourceMessage): Frame | undefined {
  if (id !== undefined) {
    const event = read<WireEvent>(data)
    if (!isIntegerFrom(event.seq, 1)) throw notFromSegno()
    return { kind: 'event', event }
  }
  if (event === 'delta') return { kind: 'delta', delta: read<Delta>(data) }
  return event === 'reset' ? { kind: 'reset', ...read<{ requestId: string; turn: number }>(data) } : undefined
}

/** Why the server ended a stream. It is always worth another try. */
function streamProblem(data: string): ApiProblem {
  const { code, message } = read<{ code: ProblemCode; message: string }>(data)
  return new ApiProblem(0, code, message)
}

function read<T extends object>(data: string): T {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch (cause) {
    throw notFromSegno(cause)
  }
  if (isObject(value)) return value as T
  throw notFromSegno()
}

const notFromSegno = (cause?: unknown): Problem => unreachable('What came is not from Segno.', cause)

/** Calls `act` after silence. `reset` sets no timer, because it is called often. */
function watchSilence(ms: number, act: () => void): { reset(): void; stop(): void } {
  let at = Date.now()
  const look = (): void => {
    const left = at + ms - Date.now()
    if (left <= 0) act()
    else timer = setTimeout(look, left)
  }
  let timer = setTimeout(look, ms)
  return { reset: () => void (at = Date.now()), stop: () => clearTimeout(timer) }
}
