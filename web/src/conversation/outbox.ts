import { ask, get } from '../api/client.ts'
import { ApiProblem, wordsOf } from '../api/problem.ts'
import type { Session } from '../api/shapes.ts'
import { refresh } from '../state/polled.ts'
import { goTo, routeStore } from '../state/route.ts'
import { createStore, useStore } from '../state/store.ts'
import { forget, keep, keptUnder } from './keep.ts'
import { contentOf, shownIn, type Unsent } from './unsent.ts'

const PREFIX = 'segno.unsent.'
const TRY_AGAIN_MS = 3000
/** Accepted so long ago and still not in a log that anybody looked at: it is of no use. */
const STALE_MS = 86_400_000

const outbox = createStore<readonly Unsent[]>(readKept())
const busy = new Set<string>()
/** Accepted before the page was loaded: they may be in a part of a log that nobody has loaded. */
const inDoubt = new Set(outbox.get().flatMap(({ state, key }) => (state === 'accepted' ? [key] : [])))

export const useOutbox = (): readonly Unsent[] => useStore(outbox)

export type NewMessage = Pick<Unsent, 'place' | 'text' | 'files' | 'mode' | 'onBusy' | 'after'>

/** Sends a message, however often it takes. It happens once. */
export function post(message: NewMessage): void {
  const unsent: Unsent = { ...message, key: crypto.randomUUID(), at: Date.now(), state: 'sending' }
  outbox.set([...outbox.get(), unsent])
  keepIt(unsent)
  pump()
}

/** Tries everything again that waits for a connection. */
export function pump(): void {
  for (const key of inDoubt) void look(key)
  for (const place of new Set(outbox.get().map(laneOf))) void drain(place)
}

/** Tries one again that was refused. */
export function tryAgain(key: string): void {
  change(key, ({ problem: _, ...unsent }) => ({ ...unsent, state: 'sending' }))
  pump()
}

/** A message that its writer wants to change: the composer of its conversation takes it. */
export const takenBack = createStore<Unsent | undefined>(undefined)

export function takeBack(unsent: Unsent): void {
  drop(new Set([unsent.key]))
  takenBack.set(unsent)
}

/** It is in the log, or somebody does not want it any more. */
export function drop(keys: ReadonlySet<string>): void {
  const rest = outbox.get().filter(({ key }) => !keys.has(key))
  if (rest.length === outbox.get().length) return
  for (const key of keys) forget(PREFIX + key)
  outbox.set(rest)
}

/** Asks what became of a message that was accepted. */
async function look(key: string): Promise<void> {
  const { requestId = '' } = outbox.get().find((one) => one.key === key) ?? {}
  try {
    const { state } = await get<{ state: string }>(`/api/rounds/${encodeURIComponent(requestId)}`)
    if (state !== 'queued') drop(new Set([key]))
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) return
    drop(new Set([key]))
  }
  inDoubt.delete(key)
}

/** Messages of one conversation go one after the other. */
const laneOf = (unsent: Unsent): string => shownIn(unsent) ?? unsent.key

async function drain(lane: string): Promise<void> {
  if (busy.has(lane)) return
  busy.add(lane)
  try {
    for (;;) {
      const next = outbox.get().find((one) => laneOf(one) === lane && (one.state === 'sending' || one.state === 'kept'))
      if (!next || !(await deliver(next))) return
    }
  } finally {
    busy.delete(lane)
  }
}

/** False: nobody answered; later. */
async function deliver(unsent: Unsent): Promise<boolean> {
  const { key, mode, onBusy } = unsent
  try {
    const sessionId = await settle(unsent)
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/messages`
    const body = { content: contentOf(unsent), mode, onBusy }
    const { requestId } = await ask<{ requestId: string }>('POST', path, body, { once: key })
    change(key, ({ problem: _, ...one }) => ({ ...one, state: 'accepted', requestId }))
    refresh('/api/sessions')
    return true
  } catch (error) {
    const problem = wordsOf(error)
    const waitMs = retryIn(error)
    change(key, (one) => ({ ...one, state: waitMs === undefined ? 'refused' : 'kept', problem }))
    if (waitMs !== undefined) setTimeout(pump, waitMs)
    return waitMs === undefined
  }
}

/** The conversation of a message, made if it has to be. It stays made: the place is then known. */
async function settle({ key, place }: Unsent): Promise<string> {
  if (place.kind === 'session') return place.sessionId
  const { kind, ...wanted } = place
  const path = place.kind === 'new' ? '/api/sessions' : `/api/sessions/${encodeURIComponent(place.sessionId)}/fork`
  const body = 'seq' in wanted ? { seq: wanted.seq } : wanted
  const made = await ask<Session>('POST', path, body, { once: `${key}-${kind}` })
  change(key, (one) => ({ ...one, place: { kind: 'session', sessionId: made.id } }))
  refresh('/api/sessions')
  const route = routeStore.get()
  const isHere = place.kind === 'new' ? route.page === 'new' : route.page === 'session' && route.id === place.sessionId
  if (isHere) goTo({ page: 'session', id: made.id })
  return made.id
}

/** Milliseconds until it may be tried again; nothing where that would not help. */
function retryIn(error: unknown): number | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  if (error.status === 0 || error.status === 503 || error.status === 401) return error.retryAfterMs ?? TRY_AGAIN_MS
  return error.status === 429 ? error.retryAfterMs : undefined
}

function change(key: string, by: (unsent: Unsent) => Unsent): void {
  const before = outbox.get().find((one) => one.key === key)
  if (!before) return
  const after = by(before)
  keepIt(after)
  outbox.set(outbox.get().map((one) => (one === before ? after : one)))
}

function keepIt(unsent: Unsent): void {
  if (keep(PREFIX + unsent.key, JSON.stringify(unsent))) return
  const problem =
    'The page was loaded again before this was sent, and its files were too large to keep. Attach them again.'
  keep(PREFIX + unsent.key, JSON.stringify({ ...unsent, files: [], state: 'refused', problem }))
}

function readKept(): Unsent[] {
  const kept = keptUnder(PREFIX).flatMap((text): Unsent[] => {
    try {
      return [JSON.parse(text) as Unsent]
    } catch {
      return []
    }
  })
  const [stale, fresh] = [true, false].map((isStale) =>
    kept.filter(({ state, at }) => (state === 'accepted' && Date.now() - at > STALE_MS) === isStale),
  )
  for (const { key } of stale ?? []) forget(PREFIX + key)
  return (fresh ?? []).sort((a, b) => a.at - b.at)
}

addEventListener('online', pump)
setTimeout(pump)
