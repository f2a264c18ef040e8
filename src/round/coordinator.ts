import type { ActorRef, EventData } from '../contract/event.ts'
import type { Input, InputBody, MessageInput } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { within } from '../lib/within.ts'
import type { SessionState } from '../session/index.ts'
import type { Blob, Claim, InboxStore, LogStore, Repeated, Waits } from '../store/index.ts'
import type { CoordinatorLimits } from './coordinator-limits.ts'
import { earlierAnswer } from './earlier-answer.ts'
import type { Hands } from './hands.ts'
import { keyOf, movesOn } from './input-key.ts'
import { LiveSession } from './live-session.ts'
import { OwnedSession } from './owned-session.ts'
import { createQueueRoom } from './queue-room.ts'
import type { Accepted, Sending } from './sending.ts'
import { createSlots } from './slots.ts'
import { stoppingProblem } from './stopping-problem.ts'
import { watchStoring } from './watch-storing.ts'

/** How long a round that was told to stop may take to do so; a tool that ignores its signal is given less. */
const STOP_MS = 1000

export interface Coordinator {
  /** Starts a round or queues it; resolves when the message and its files are on disk. */
  send(sessionId: string, sending: Sending): Promise<Accepted>
  /** Throws a Problem if a message to a new session would be refused now. */
  checkRoom(actor: ActorRef): void
  /**
   * Stores something from outside and lets the owner fold it in; its id (that of the one that waits, if it waits already),
   * or what was claimed before: the same key happens once. `blobs`: what it names.
   */
  tell(
    sessionId: string,
    body: InputBody,
    once?: { key: string; hash: string },
    blobs?: readonly Blob[],
  ): Promise<string | Claim>
  /** What was asked to be changed in a session that is busy, and is stored but not in its log yet. */
  pendingChanges(sessionId: string): EventData['session.changed']
  /** Does this input wait to be folded in? */
  waits(sessionId: string, inputId: string): boolean
  /** What is known of a session that is in memory: the same as its row says, without asking the store. */
  known(sessionId: string): SessionState | undefined
  /** Looks at a session again: something it waited for is due. */
  wake(sessionId: string): Promise<void>
  /** Goes on with rounds that were running and inputs nobody folded in, as many as there is room for; see `rescue`. */
  recover(): Promise<void>
  /** Goes on with what nobody works on: its owner failed, or there was no room before. */
  rescue(): Promise<void>
  /** Forgets sessions nobody used for a while. */
  sweep(): void
  /** Resolves when nothing is being done for the session. With `roundsToo` false a running round is not waited for. */
  settled(sessionId: string, roundsToo: boolean): Promise<void>
  /** Why a message in a new session would be refused now; undefined if it would be taken. */
  refusal(): 'full' | 'store' | undefined
  stats(): { live: number; running: number; queued: number; full: boolean }
  /**
   * No new rounds; those that run get `ms`, then they are left to the next start. False if some did not even stop then:
   * they are left behind, and can store nothing once the store is closed.
   */
  drain(ms: number): Promise<boolean>
}

export function createCoordinator(store: LogStore & InboxStore, hands: Hands, limits: CoordinatorLimits): Coordinator {
  const live = new Map<string, Promise<LiveSession | undefined>>()
  const opened = new Map<string, LiveSession>()
  const slots = createSlots(limits.maxRounds)
  const suspects = createSlots(1)
  const queue = createQueueRoom(limits.queueLength, () => opened.values().map(({ mailbox }) => mailbox))
  const inTurn = oneAtATime<Accepted>()
  const unopenable = new Set<string>()
  const storing = watchStoring()
  const draining = new AbortController()
  const stopping = new AbortController()

  function open(sessionId: string): Promise<LiveSession | undefined> {
    const known = live.get(sessionId)
    if (known) return known
    if (isFull()) {
      return Promise.reject(
        new Problem('RATE_LIMITED', `All ${limits.maxCoordinators} coordinators are busy; try again shortly.`, {
          retryAfterMs: 1000,
        }),
      )
    }
    const opening = load(sessionId)
    live.set(sessionId, opening)
    opening.then(
      (session) => {
        if (!session) return void live.delete(sessionId)
        opened.set(sessionId, session)
        if (session.hasWork) session.wake()
      },
      () => live.delete(sessionId),
    )
    return opening
  }

  async function load(sessionId: string): Promise<LiveSession | undefined> {
    const session = await OwnedSession.open(store, hands.clock, sessionId, hands.settings)
    if (!session) return undefined
    const one: LiveSession = new LiveSession({
      session,
      inputs: await store.pendingInputs(sessionId),
      hands,
      slots,
      suspects,
      draining: draining.signal,
      stopping: stopping.signal,
      onLost: () => forget(sessionId, one),
    })
    return one
  }

  function forget(sessionId: string, which: LiveSession): void {
    if (opened.get(sessionId) !== which) return
    opened.delete(sessionId)
    live.delete(sessionId)
    store.release(sessionId)
  }

  /** Drops the session that was idle longest. */
  function makeRoom(): boolean {
    let oldest: [string, LiveSession] | undefined
    for (const entry of opened) {
      if (!entry[1].active && (!oldest || entry[1].lastUsed < oldest[1].lastUsed)) oldest = entry
    }
    if (oldest) forget(...oldest)
    return oldest !== undefined
  }

  /** No session could be opened, or no message could wait, or there is no memory for a round. */
  function isCrowded(): boolean {
    const isBusy = live.size >= limits.maxCoordinators && opened.values().every((one) => one.active)
    // Without a queue messages are taken as long as there are slots.
    const cannotWait = limits.queueLength > 0 ? queue.isFull : slots.taken >= limits.maxRounds
    return isBusy || cannotWait || limits.pressure?.() !== undefined
  }

  const isFull = (): boolean => live.size >= limits.maxCoordinators && !makeRoom()

  /** Nobody drops the session while it is in use. */
  async function withSession<T>(sessionId: string, use: (one: LiveSession) => Promise<T>): Promise<T> {
    // One that is open is held at once: waiting even for a moment would let another session push it out.
    const one = opened.get(sessionId) ?? (await open(sessionId))
    if (!one) throw new Problem('NOT_FOUND', `There is no session ${sessionId}.`)
    one.users += 1
    try {
      return await use(one)
    } finally {
      one.users -= 1
    }
  }

  async function enqueue(
    one: LiveSession,
    body: InputBody,
    claim?: Claim,
    files?: readonly Blob[],
  ): Promise<Input | Repeated | Waits> {
    const id = newId()
    const key = claim?.key ?? keyOf(body, one.mailbox.clearKey) ?? id
    const input: Input = { id, sessionId: one.session.id, key, at: hands.clock.now(), body }
    const stored = await store.putInput(input, claim, files, movesOn(body) ? undefined : limits.waitingInputs)
    if (stored === 'full') {
      const why = `${limits.waitingInputs} inputs wait for this session (limit WAITING_INPUTS); try again when it has moved on.`
      throw new Problem('RATE_LIMITED', why, { retryAfterMs: 2000 })
    }
    if (stored !== 'stored') return stored
    if (!one.lost) one.push(input)
    else await handOver(input)
    return input
  }

  /** The session was lost while the input was stored: whoever opened it since may not have seen it. */
  async function handOver(input: Input): Promise<void> {
    const current = await open(input.sessionId)
    const waits = (await store.pendingInputs(input.sessionId)).some(({ id }) => id === input.id)
    if (waits && current?.mailbox.has(input.id) === false) current.push(input)
    else current?.wake()
  }

  /** One session that cannot be opened keeps no other from going on. It is named once, not at every look. */
  async function goOn(sessionId: string): Promise<void> {
    try {
      ;(await open(sessionId))?.wake()
      unopenable.delete(sessionId)
    } catch (error) {
      if (unopenable.has(sessionId)) return
      unopenable.add(sessionId)
      process.emitWarning(`session ${sessionId} cannot be opened: ${(error as Error).message}`, 'SegnoWarning')
    }
  }

  async function accept(one: LiveSession, sending: Sending): Promise<Accepted> {
    const { message, files, onBusy, key } = sending
    const sessionId = one.session.id
    const { seq: after, workspaceId } = one.session.state
    const accepted = { requestId: message.requestId, sessionId, workspaceId }
    const claim = key && { ...key, result: { requestId: message.requestId, sessionId } }
    const known = key && (await store.findClaim(key.key))
    if (known) return earlierAnswer(store, known, key, workspaceId)
    // A round whose end is being stored is as good as over: its sender may have heard of it already.
    if (one.finishing) await one.settled(true)
    if (one.lost) return withSession(sessionId, (again) => accept(again, sending))
    const slot = one.idle ? slots.tryTake() : undefined
    if (slot) {
      const taken = await one.start(message, files, claim, slot)
      return taken && key ? earlierAnswer(store, taken, key, workspaceId) : { ...accepted, state: 'running', after }
    }
    if (!one.idle && onBusy === 'reject') {
      throw new Problem(
        'BUSY',
        'This session is answering another message. Wait for it, or send with onBusy "queue" or "interrupt".',
      )
    }
    queue.check(message.actor)
    const body: MessageInput = { ...message, interrupt: onBusy === 'interrupt' }
    const arrived = queue.arrive(message.actor)
    try {
      const once = claim ?? { key: `message:${message.requestId}`, hash: '', result: null }
      const put = await enqueue(one, body, once, files)
      if ('id' in put) return { ...accepted, state: 'queued' }
      if (key) return await earlierAnswer(store, put.claim, key, workspaceId)
      throw new Problem('CONFLICT', `There is already a round ${message.requestId}.`, { field: 'requestId' })
    } finally {
      arrived()
    }
  }

  function checkOpen(): void {
    if (draining.signal.aborted) throw stoppingProblem()
    const pressure = limits.pressure?.()
    if (pressure !== undefined) throw new Problem('RATE_LIMITED', pressure, { retryAfterMs: 5000 })
  }

  return {
    checkRoom(actor) {
      checkOpen()
      if (slots.taken >= limits.maxRounds) queue.check(actor)
    },

    async send(sessionId, sending) {
      checkOpen()
      const { key } = sending
      const send = () => storing.watch(withSession(sessionId, (one) => accept(one, sending)))
      // The same message sent again while it is accepted waits, and gets the same answer.
      return key ? inTurn(key.key, send) : send()
    },

    async tell(sessionId, body, once, blobs) {
      const claim = once && { ...once, result: null }
      const put = await withSession(sessionId, (one) => enqueue(one, body, claim, blobs))
      return 'id' in put ? put.id : put.claim
    },

    known: (sessionId) => opened.get(sessionId)?.session.state,
    pendingChanges: (sessionId) => opened.get(sessionId)?.mailbox.changes() ?? {},
    waits: (sessionId, inputId) => opened.get(sessionId)?.mailbox.has(inputId) ?? false,

    async wake(sessionId) {
      ;(await open(sessionId))?.wake()
    },

    async recover() {
      for (const sessionId of await store.unfinished()) {
        if (isFull()) return
        await goOn(sessionId)
      }
    },

    async rescue() {
      if (draining.signal.aborted) return
      for (const sessionId of await store.unfinished()) {
        if (live.has(sessionId)) continue
        if (isFull()) return
        await goOn(sessionId)
      }
    },

    sweep() {
      const before = hands.clock.now() - limits.idleMs
      for (const [sessionId, one] of opened) if (!one.active && one.lastUsed < before) forget(sessionId, one)
    },

    async settled(sessionId, roundsToo) {
      await (await live.get(sessionId))?.settled(roundsToo)
    },

    refusal() {
      if (isCrowded()) return 'full'
      return storing.isFailing ? 'store' : undefined
    },
    stats: () => ({ live: live.size, running: slots.taken, queued: queue.waiting, full: isCrowded() }),

    async drain(ms) {
      draining.abort()
      // A session that cannot be opened now has nothing to wait for.
      const all = Promise.all([...live.values()].map((one) => one.then((it) => it?.settled(true)).catch(() => {})))
      const isOver = await within(ms, all)
      stopping.abort('stopping')
      return isOver || within(STOP_MS, all)
    },
  }
}
