import { useMemo } from 'react'
import { client, wordsOf } from '../api/client.ts'
import { ApiProblem } from '../../../src/client/index.ts'
import { refresh } from '../state/polled.ts'
import { createStore, useStore } from '../state/store.ts'
import { addToDraft, composerOf, editBoxOf, modeStore, focusSoon } from './drafts.ts'
import { forgetUnsent, storeUnsent, onForgotten, readUnsent } from './stored-unsent.ts'
import { follow, makeConversation } from './make-conversation.ts'
import { learnOwner, owner, writer } from './owner.ts'
import { settled, tryLater } from './try-later.ts'
import { contentOf, newKey, shownIn, type Unsent } from './unsent.ts'

const outbox = createStore<readonly Unsent[]>(readUnsent())
/** Accepted before the page was loaded: their place in the log may not be loaded. */
const inDoubt = new Set(outbox.get().flatMap(({ state, key }) => (state === 'accepted' ? [key] : [])))
const inFlight = new Set<string>()
/** Conversations in which the server wants to be left alone for a while. */
const rests = new Map<string, { readonly until: number; readonly problem: ApiProblem }>()

/** A message without an owner was written here before the server said who the user is. */
const isOf = (whose: string, one: Unsent): boolean => one.owner === whose || one.owner === ''
const mine = (): readonly Unsent[] => outbox.get().filter((one) => isOf(owner.get(), one))

/** Messages of the current user that are on their way. */
export function useOutbox(): readonly Unsent[] {
  const all = useStore(outbox)
  const whose = useStore(owner)
  return useMemo(() => all.filter((one) => isOf(whose, one)), [all, whose])
}

type NewMessage = Pick<Unsent, 'place' | 'text' | 'files' | 'mode' | 'onBusy' | 'after'>

/** Sends a message, with as many tries as it takes; the server takes it once. */
export function post(message: NewMessage): void {
  const unsent: Unsent = { ...message, key: newKey(), owner: writer(), at: Date.now(), state: 'sending' }
  outbox.set([...outbox.get(), unsent])
  storeUnsent(unsent)
  sendSoon(laneOf(unsent))
}

/** Tries everything that waits. */
export const pump = (): void => sendSoon()

/** Sends only once the server has said who the user is. */
function sendSoon(only?: string): void {
  const lanes = (): ReadonlySet<string> => new Set(only === undefined ? mine().map(laneOf) : [only])
  learnOwner().then(
    () => {
      name()
      lanes().forEach(sendNext)
    },
    (error: unknown) => {
      for (const lane of lanes()) hold(lane, error)
      if (outbox.get().length > 0) tryLater(pump, waitOf(error))
    },
  )
}

/** Gives messages without an owner to the current user. */
function name(): void {
  for (const one of outbox.get()) if (one.owner === '') change(one.key, (before) => ({ ...before, owner: writer() }))
}

/** Messages of one conversation go one after the other. */
const laneOf = (unsent: Unsent): string =>
  unsent.place.kind === 'new' ? unsent.place.key : (shownIn(unsent) ?? unsent.key)
const isWaiting = ({ state }: Unsent): boolean => state === 'sending' || state === 'kept'

function sendNext(lane: string): void {
  const all = mine().filter((one) => laneOf(one) === lane)
  for (const { key } of all) if (inDoubt.has(key)) void look(key)
  const next = all.find(isWaiting)
  if (!next || all.some(({ key }) => inFlight.has(key))) return
  const rest = rests.get(lane)
  if (rest && rest.until > Date.now()) {
    hold(lane, rest.problem)
    tryLater(pump, rest.until - Date.now())
  } else void send(next)
}

async function send(unsent: Unsent): Promise<void> {
  const { key } = unsent
  inFlight.add(key)
  const problem = await deliver(unsent)
  inFlight.delete(key)
  if (!problem) {
    settled()
    return pump()
  }
  const waitMs = waitOf(problem)
  const now = outbox.get().find((one) => one.key === key)
  if (now) {
    if (waitMs !== undefined) rests.set(laneOf(now), { until: Date.now() + waitMs, problem })
    hold(laneOf(now), problem)
  }
  tryLater(pump, waitMs)
}

/** Returns the problem if it is worth another try; otherwise the message is accepted or refused. */
async function deliver(unsent: Unsent): Promise<ApiProblem | undefined> {
  const { key, mode, onBusy } = unsent
  try {
    const sessionId = await settle(unsent)
    // It may have been taken back meanwhile, or the user changed.
    if (!mine().some((one) => one.key === key)) return undefined
    const { requestId } = await client.send(sessionId, { content: contentOf(unsent), mode, onBusy }, key)
    change(key, ({ problem: _, ...one }) => ({ ...one, state: 'accepted', requestId }))
    refresh('/api/sessions')
  } catch (error) {
    if (error instanceof ApiProblem && isPassing(error)) return error
    change(key, (one) => ({ ...one, state: 'refused', problem: wordsOf(error) }))
  }
  return undefined
}

const isPassing = ({ status, retryAfterMs }: ApiProblem): boolean =>
  status === 0 || status === 503 || status === 401 || (status === 429 && retryAfterMs !== undefined)

const waitOf = (error: unknown): number | undefined => (error instanceof ApiProblem ? error.retryAfterMs : undefined)

/** All messages of a conversation wait with the first that has to. */
function hold(lane: string, error: unknown): void {
  const problem = error instanceof ApiProblem && error.status === 0 ? undefined : wordsOf(error)
  for (const one of mine().filter((one) => laneOf(one) === lane && isWaiting(one))) {
    if (one.state === 'kept' && one.problem === problem) continue
    change(one.key, ({ problem: _, ...rest }) => ({
      ...rest,
      state: 'kept',
      ...(problem !== undefined && { problem }),
    }))
  }
}

/** The conversation of a message; creates it if needed and remembers it. */
async function settle({ key, place }: Unsent): Promise<string> {
  if (place.kind === 'session') return place.sessionId
  const { id: sessionId } = await makeConversation(key, place)
  for (const one of outbox.get()) {
    const isWithIt = one.place.kind === 'new' && place.kind === 'new' && one.place.key === place.key
    if (one.key === key || isWithIt) change(one.key, (before) => ({ ...before, place: { kind: 'session', sessionId } }))
  }
  refresh('/api/sessions')
  follow(place, sessionId)
  return sessionId
}

/** Asks what became of a message that was accepted. */
async function look(key: string): Promise<void> {
  const { requestId = '' } = mine().find((one) => one.key === key) ?? {}
  if (requestId === '') return
  try {
    const { state } = await client.round(requestId)
    if (state !== 'queued') drop(new Set([key]))
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 404) return
    drop(new Set([key]))
  }
  inDoubt.delete(key)
}

/** Tries one again without waiting any longer. */
export function tryAgain(unsent: Unsent): void {
  rests.delete(laneOf(unsent))
  change(unsent.key, ({ problem: _, ...one }) => ({ ...one, state: 'sending' }))
  sendSoon(laneOf(unsent))
}

/** Puts a message back into the field where it was written. */
export function takeBack(unsent: Unsent): void {
  const { key, place, text, files, mode } = unsent
  if (!outbox.get().some((one) => one.key === key)) return
  drop(new Set([key]))
  // The files of a message that is edited come from the log.
  const own = place.kind === 'fork' ? [] : files
  const at = place.kind === 'fork' ? editBoxOf(place.sessionId, place.seq) : composerOf(shownIn(unsent))
  focusSoon(at)
  addToDraft(at, {
    text,
    files: own.filter(({ data }) => data !== ''),
    problems: own.flatMap(({ name, data }) => (data === '' ? `Attach ${name} again: only its name was kept.` : [])),
  })
  if (mode === 'plan') modeStore.set('plan')
}

/** Removes messages that are in the log or no longer wanted. */
export function drop(keys: ReadonlySet<string>): void {
  const rest = outbox.get().filter(({ key }) => !keys.has(key))
  if (rest.length === outbox.get().length) return
  for (const key of keys) forgetUnsent(key)
  outbox.set(rest)
}

function change(key: string, by: (unsent: Unsent) => Unsent): void {
  const before = outbox.get().find((one) => one.key === key)
  if (!before) return
  const after = by(before)
  storeUnsent(after)
  outbox.set(outbox.get().map((one) => (one === before ? after : one)))
}

onForgotten((key) => outbox.set(outbox.get().filter((one) => one.key !== key)))
addEventListener('online', pump)
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && outbox.get().length > 0) pump()
})
setTimeout(pump)
