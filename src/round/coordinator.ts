import type { ActorRef } from '../contract/event.ts'
import type { Input, InputBody, MessageInput } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { within } from '../lib/within.ts'
import type { SessionState } from '../session/index.ts'
import type { Blob, Claim, InboxStore, ListStore, LogStore, Repeated, Waits } from '../store/index.ts'
import type { Accepted, CoordinatorLimits, Sending } from './sending.ts'
import type { Hands } from './hands.ts'
import { keyOf, movesOn } from './input-key.ts'
import { LiveSession } from './live-session.ts'
import { LiveSessions } from './live-sessions.ts'
import { createQueueRoom } from './queue-room.ts'
import { createSlots } from './slots.ts'
import { stoppingProblem } from './stopping.ts'
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
  /** What is known of a session that is in memory: the same as its row says, without asking the store. */
  known(sessionId: string): SessionState | undefined
  /** Looks at a session again: something it waited for is due. */
  wake(sessionId: string): Promise<void>
  /**
   * Goes on with what nobody works on, as much as there is room for: rounds whose owner failed or stopped, inputs nobody
   * folded in, also those that others stored for a session that is open here.
   */
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

export function createCoordinator(
  store: LogStore & InboxStore & ListStore,
  hands: Hands,
  limits: CoordinatorLimits,
  /** tells another owner that something was stored for its session; one that does not hear it finds it later */
  wakeElsewhere: (where: string, sessionId: string) => void = () => {},
): Coordinator {
  const slots = createSlots(limits.maxRounds)
  const draining = new AbortController()
  const stopping = new AbortController()
  const live = new LiveSessions(store, limits.maxCoordinators, {
    hands,
    slots,
    suspects: createSlots(1),
    draining: draining.signal,
    stopping: stopping.signal,
  })
  const queue = createQueueRoom(limits.queueLength, () => Iterator.from(live.all).map(({ mailbox }) => mailbox))
  const inTurn = oneAtATime<Accepted>()
  const unopenable = new Set<string>()
  const storing = watchStoring()

  /** No session could be opened, or no message could wait, or there is no memory for a round. */
  function isCrowded(): boolean {
    // Without a queue messages are taken as long as there are slots.
    const cannotWait = limits.queueLength > 0 ? queue.isFull : slots.taken >= limits.maxRounds
    return live.isBusy || cannotWait || limits.pressure?.() !== undefined
  }

  /** Nobody drops a session while it is in use. */
  async function holding<T>(one: LiveSession | undefined, use: () => Promise<T>): Promise<T> {
    if (one) one.users += 1
    try {
      return await use()
    } finally {
      if (one) one.users -= 1
    }
  }

  /** Stores something from outside, whoever owns the session, then lets the owner know. */
  async function put(
    sessionId: string,
    body: InputBody,
    claim?: Claim,
    files?: readonly Blob[],
  ): Promise<Input | Repeated | Waits> {
    const id = newId()
    const waiting = body.kind === 'clear' ? await store.pendingInputs(sessionId) : []
    const key = claim?.key ?? keyOf(body, waiting) ?? id
    const input: Input = { id, sessionId, key, at: hands.clock.now(), body }
    const one = live.get(sessionId)
    return holding(one, async () => {
      const stored = await store.putInput(input, claim, files, movesOn(body) ? undefined : limits.waitingInputs)
      if (stored === 'full') {
        const why = `${limits.waitingInputs} inputs wait for this session (limit WAITING_INPUTS); try again when it has moved on.`
        throw new Problem('RATE_LIMITED', why, { retryAfterMs: 2000 })
      }
      if (stored !== 'stored') return stored
      if (one && !one.lost) one.push(input)
      // Where nobody owns it and there is no room, it is found later.
      else if (live.has(sessionId) || live.makeRoom()) await goOn(sessionId)
      return input
    })
  }

  /** The owner looks at what is stored for a session, and goes on with it. Where nobody owns it, that is this process. */
  async function wake(sessionId: string): Promise<void> {
    const one = await live.open(sessionId)
    if (!(one instanceof LiveSession)) return one && wakeElsewhere(one.where, sessionId)
    for (const input of await store.pendingInputs(sessionId)) one.push(input)
    one.wake()
  }

  /** One session that cannot be opened keeps no other from going on. It is named once, not at every look. */
  async function goOn(sessionId: string): Promise<void> {
    try {
      await wake(sessionId)
      unopenable.delete(sessionId)
    } catch (error) {
      if (unopenable.has(sessionId)) return
      unopenable.add(sessionId)
      process.emitWarning(`session ${sessionId} cannot be opened: ${(error as Error).message}`, 'SegnoWarning')
    }
  }

  /** A message goes to the owner of its session: this process, unless another is. */
  async function deliver(sessionId: string, sending: Sending): Promise<Accepted> {
    // One that is open is held at once: waiting even for a moment would let another session push it out.
    const one = live.get(sessionId) ?? (await live.open(sessionId))
    if (!one) throw new Problem('NOT_FOUND', `There is no session ${sessionId}.`)
    if (one instanceof LiveSession) return holding(one, () => accept(one, sending))
    if (sending.onBusy === 'reject' && (await isAnswering(sessionId))) throw busy()
    return enqueue(sessionId, sending)
  }

  /** As the store has it, for a session that is owned elsewhere. */
  async function isAnswering(sessionId: string): Promise<boolean> {
    const [open] = await store.rounds({ sessionId, states: ['running', 'waiting', 'paused'], limit: 1 })
    return open !== undefined || (await store.pendingInputs(sessionId)).length > 0
  }

  async function accept(one: LiveSession, sending: Sending): Promise<Accepted> {
    const { message, files, onBusy, key, workspaceId } = sending
    const { requestId } = message
    const sessionId = one.session.id
    const { seq: after } = one.session.state
    const known = key && (await store.findClaim(key.key))
    if (known) return earlierAnswer(store, known, key, workspaceId)
    // A round whose end is being stored is as good as over: its sender may have heard of it already.
    if (one.finishing) await one.settled(true)
    if (one.lost) return deliver(sessionId, sending)
    const slot = one.idle ? slots.tryTake() : undefined
    if (slot) {
      const started = await one.start(message, files, claimOf(sessionId, sending), slot)
      if (started === 'fenced') return deliver(sessionId, sending)
      if (started && key) return earlierAnswer(store, started, key, workspaceId)
      return { requestId, sessionId, workspaceId, state: 'running', after }
    }
    if (!one.idle && onBusy === 'reject') throw busy()
    return enqueue(sessionId, sending)
  }

  /** A message that waits for its turn. */
  async function enqueue(sessionId: string, sending: Sending): Promise<Accepted> {
    const { message, files, onBusy, key, workspaceId } = sending
    const { requestId, actor } = message
    queue.check(actor)
    const body: MessageInput = { ...message, interrupt: onBusy === 'interrupt' }
    const arrived = queue.arrive(actor)
    try {
      const once = claimOf(sessionId, sending) ?? { key: `message:${requestId}`, hash: '', result: null }
      const stored = await put(sessionId, body, once, files)
      if ('id' in stored) return { requestId, sessionId, workspaceId, state: 'queued' }
      if (key) return await earlierAnswer(store, stored.claim, key, workspaceId)
      throw new Problem('CONFLICT', `There is already a round ${requestId}.`, { field: 'requestId' })
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
      const send = () => storing.watch(deliver(sessionId, sending))
      // The same message sent again while it is accepted waits, and gets the same answer.
      return key ? inTurn(key.key, send) : send()
    },

    async tell(sessionId, body, once, blobs) {
      const stored = await put(sessionId, body, once && { ...once, result: null }, blobs)
      return 'id' in stored ? stored.id : stored.claim
    },

    known: (sessionId) => live.get(sessionId)?.session.state,
    wake,

    async rescue() {
      if (draining.signal.aborted) return
      for (const sessionId of await store.unread()) await goOn(sessionId)
      for (const sessionId of await store.unfinished()) {
        if (live.has(sessionId)) continue
        if (!live.makeRoom()) return
        await goOn(sessionId)
      }
    },

    sweep: () => live.sweep(hands.clock.now() - limits.idleMs),
    settled: (sessionId, roundsToo) => live.settled(sessionId, roundsToo),

    refusal() {
      if (isCrowded()) return 'full'
      return storing.isFailing ? 'store' : undefined
    },
    stats: () => ({ live: live.size, running: slots.taken, queued: queue.waiting, full: isCrowded() }),

    async drain(ms) {
      draining.abort()
      const all = live.allSettled()
      const isOver = await within(ms, all)
      stopping.abort('stopping')
      return isOver || within(STOP_MS, all)
    },
  }
}

function busy(): Problem {
  return new Problem(
    'BUSY',
    'This session is answering another message. Wait for it, or send with onBusy "queue" or "interrupt".',
  )
}

function claimOf(sessionId: string, { key, message: { requestId } }: Sending): Claim | undefined {
  return key && { ...key, result: { requestId, sessionId } }
}

/** What the sender of a message under this key was answered before. The same key with another message is a mistake. */
async function earlierAnswer(
  store: InboxStore,
  claim: Claim,
  key: { readonly hash: string },
  workspaceId: string,
): Promise<Accepted> {
  if (claim.hash !== key.hash) {
    throw new Problem(
      'IDEMPOTENCY_MISMATCH',
      'This id was already used for another message. Give every message its own id.',
    )
  }
  const known = claim.result as { requestId: string; sessionId: string }
  return { ...known, workspaceId, state: (await store.queuedMessage(known.requestId)) ? 'queued' : 'running' }
}
