import type { ActorRef } from '../contract/actor.ts'
import type { Input, InputBody, MessageInput } from '../contract/input.ts'
import { Problem } from '../contract/problem.ts'
import { newId } from '../lib/id.ts'
import { oneAtATime } from '../lib/one-at-a-time.ts'
import { within } from '../lib/within.ts'
import type { SessionState } from '../session/index.ts'
import type { Blob, Claim, InboxStore, InputOptions, ListStore, LogStore, Repeated, Waits } from '../store/index.ts'
import { claimOf, earlierAnswer, notLast, type Accepted, type CoordinatorLimits, type Sending } from './sending.ts'
import type { Deps } from './deps.ts'
import { keyOf, movesOn } from './input-key.ts'
import { LiveSession } from './live-session.ts'
import { LiveSessions } from './live-sessions.ts'
import { createQueueRoom } from './queue-room.ts'
import { createSharing, NO_OTHERS, type OtherNodes } from './share-out.ts'
import { createSlots } from './slots.ts'
import { leaseProblem, stoppingProblem } from './stopping.ts'
import { watchStoring } from './watch-storing.ts'

/** How long a round may take to stop; a tool that ignores its signal gets less. */
const STOP_MS = 1000

export type Coordinator = ReturnType<typeof createCoordinator>

export function createCoordinator(
  store: LogStore & InboxStore & ListStore,
  deps: Deps,
  limits: CoordinatorLimits,
  others: OtherNodes = NO_OTHERS,
) {
  const slots = createSlots(limits.maxRounds)
  const draining = new AbortController()
  /** for the sessions in memory; replaced when they are given up */
  let stopping = new AbortController()
  const live = new LiveSessions(store, limits.maxCoordinators, {
    deps,
    slots,
    suspects: createSlots(1),
    draining: draining.signal,
    get stopping() {
      return stopping.signal
    },
  })
  const queue = createQueueRoom(limits.queueLength, () => Iterator.from(live.all).map(({ mailbox }) => mailbox))
  const inTurn = oneAtATime<Accepted>()
  const looking = oneAtATime<void>()
  const unopenable = new Set<string>()
  const storing = watchStoring()
  const sharing = createSharing(others, slots, limits.maxRounds, () => deps.clock.now())
  /** sessions with unread inputs that could not be opened */
  const missed = new Set<string>()

  /** Whether no session can be opened, no message can wait, or memory is short. */
  function isCrowded(): boolean {
    // Without a queue, messages are accepted while there are slots.
    const cannotWait = limits.queueLength > 0 ? queue.isFull : slots.taken >= limits.maxRounds
    return live.isBusy || cannotWait || limits.pressure?.() !== undefined
  }

  /** Keeps a session in memory while it is used. */
  async function holding<T>(one: LiveSession | undefined, use: () => Promise<T>): Promise<T> {
    if (one) one.users += 1
    try {
      return await use()
    } finally {
      if (one) one.users -= 1
    }
  }

  /** Stores an input, then wakes the owner of the session: `owner`, if it is known. */
  async function put(
    sessionId: string,
    body: InputBody,
    more: Omit<InputOptions, 'most'> = {},
    owner?: string,
  ): Promise<Input | Repeated | Waits> {
    const id = newId()
    const waiting = body.kind === 'clear' ? await store.pendingInputs(sessionId) : []
    const key = more.claim?.key ?? keyOf(body, waiting) ?? id
    const input: Input = { id, sessionId, key, at: deps.clock.now(), body }
    const one = live.get(sessionId)
    return holding(one, async () => {
      const most = movesOn(body) ? undefined : limits.waitingInputs
      const stored = await store.putInput(input, { ...more, most })
      if (stored === 'busy') throw busy()
      if (stored === 'full') {
        const why = `${limits.waitingInputs} inputs wait for this session (limit WAITING_INPUTS); try again when it has moved on.`
        throw new Problem('RATE_LIMITED', why, { retryAfterMs: 2000 })
      }
      if (stored !== 'stored') return stored
      if (one && !one.lost) one.push(input)
      else if (owner !== undefined) others.wake(owner, sessionId)
      // Without an owner and without room here, `rescue` finds it later.
      else if (deps.mayAct() && (live.has(sessionId) || live.makeRoom())) await wakeSafely(sessionId)
      return input
    })
  }

  /** Lets the owner of a session continue it; without an owner this process becomes it. */
  async function wake(sessionId: string): Promise<void> {
    if (!deps.mayAct()) return
    const one = await live.open(sessionId)
    if (!(one instanceof LiveSession)) {
      if (one?.where !== undefined) others.wake(one.where, sessionId)
      return
    }
    for (const input of await store.pendingInputs(sessionId)) one.push(input)
    one.wake()
  }

  /** A session that cannot be opened does not stop the others, and is reported once. */
  async function wakeSafely(sessionId: string): Promise<void> {
    try {
      await wake(sessionId)
      unopenable.delete(sessionId)
      missed.delete(sessionId)
    } catch (error) {
      if (unopenable.has(sessionId)) return
      unopenable.add(sessionId)
      process.emitWarning(`session ${sessionId} cannot be opened: ${(error as Error).message}`, 'SegnoWarning')
    }
  }

  /** Leaves sessions that wait for a slot to nodes with a free one. */
  const shareOut = (): void => sharing.letGo(Iterator.from(live.all).filter((one) => one.isInLine && one.users === 0))

  /** Brings a message to the owner of its session. */
  async function deliver(sessionId: string, sending: Sending): Promise<Accepted> {
    // Another node will answer it.
    if (!deps.mayAct()) return enqueue(sessionId, sending)
    // An open session is held at once, because it could be dropped during an await.
    const one = live.get(sessionId) ?? (await live.open(sessionId))
    if (!one) throw new Problem('NOT_FOUND', `There is no session ${sessionId}.`)
    if (one instanceof LiveSession) return holding(one, () => accept(one, sending))
    return enqueue(sessionId, sending, one.where)
  }

  async function accept(one: LiveSession, sending: Sending): Promise<Accepted> {
    const { message, files, onBusy, key, workspaceId } = sending
    const { requestId } = message
    const sessionId = one.session.id
    const { seq: after } = one.session.state
    const known = key && (await store.findClaim(key.key))
    if (known) return earlierAnswer(store, known, key, workspaceId)
    // The sender may already know of the end that is being stored.
    if (one.finishing) await one.settled(true)
    if (one.lost) return deliver(sessionId, sending)
    const { continues } = message
    if (continues !== undefined && one.idle && one.session.state.limited?.requestId !== continues) throw notLast()
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

  /** Stores a message that waits; with `reject` the store refuses it if the session is busy. */
  async function enqueue(sessionId: string, sending: Sending, owner?: string): Promise<Accepted> {
    const { message, files, onBusy, key, workspaceId } = sending
    const { requestId, actor } = message
    queue.check(actor)
    const body: MessageInput = { ...message, interrupt: onBusy === 'interrupt' }
    const arrived = queue.arrive(actor)
    try {
      const once = claimOf(sessionId, sending) ?? { key: `message:${requestId}`, hash: '', result: null }
      const stored = await put(sessionId, body, { claim: once, blobs: files, ifIdle: onBusy === 'reject' }, owner)
      if ('id' in stored) return { requestId, sessionId, workspaceId, state: 'queued' }
      if (key) return await earlierAnswer(store, stored.claim, key, workspaceId)
      throw new Problem('CONFLICT', `There is already a round ${requestId}.`, { field: 'requestId' })
    } finally {
      arrived()
    }
  }

  async function rescue(): Promise<void> {
    if (draining.signal.aborted || !deps.mayAct()) return
    shareOut()
    for (const sessionId of await store.unread()) missed.add(sessionId)
    for (const sessionId of missed) await wakeSafely(sessionId)
    for (const sessionId of await store.unfinished(sharing.most)) {
      if (live.has(sessionId)) continue
      if (!live.makeRoom()) return
      await wakeSafely(sessionId)
    }
  }

  function checkOpen(): void {
    if (draining.signal.aborted) throw stoppingProblem()
    const pressure = limits.pressure?.()
    if (pressure !== undefined) throw new Problem('RATE_LIMITED', pressure, { retryAfterMs: 5000 })
  }

  return {
    /** Throws a Problem if a message to a new session would be refused now. */
    checkRoom(actor: ActorRef): void {
      checkOpen()
      if (!deps.mayAct()) throw leaseProblem()
      if (slots.taken >= limits.maxRounds) queue.check(actor)
    },

    /** Starts a round or queues it; resolves when the message and its files are on disk. */
    async send(sessionId: string, sending: Sending): Promise<Accepted> {
      checkOpen()
      const { key } = sending
      const send = async (): Promise<Accepted> => {
        const accepted = await storing.watch(deliver(sessionId, sending))
        if (accepted.state === 'queued') shareOut()
        return accepted
      }
      // A repeated message waits for the first and gets the same answer.
      return key ? inTurn(key.key, send) : send()
    },

    /**
     * Stores an input for the owner; returns its id, or that of the same input if one waits already, or the earlier claim
     * of `once`.
     */
    async tell(
      sessionId: string,
      body: InputBody,
      once?: { key: string; hash: string },
      blobs?: readonly Blob[],
    ): Promise<string | Claim> {
      const stored = await put(sessionId, body, { claim: once && { ...once, result: null }, blobs })
      return 'id' in stored ? stored.id : stored.claim
    },

    /** The state of a session that is in memory. */
    known: (sessionId: string): SessionState | undefined => live.get(sessionId)?.session.state,
    wake,

    /**
     * Continues sessions without an owner, as many as there is room for, and reads inputs that others stored for ours;
     * one call at a time, so that two do not count the same free slot.
     */
    rescue: (): Promise<void> => looking('', rescue),

    /** Forgets sessions that were not used for a while. */
    sweep: (): void => live.sweep(deps.clock.now() - limits.idleMs),
    /** Resolves when nothing is being done for the session; a running round counts only with `roundsToo`. */
    settled: (sessionId: string, roundsToo: boolean): Promise<void> => live.settled(sessionId, roundsToo),

    /** Why a message in a new session would be refused now, if it would. */
    refusal(): 'full' | 'store' | undefined {
      if (!deps.mayAct()) return 'store'
      if (isCrowded()) return 'full'
      return storing.isFailing ? 'store' : undefined
    },
    stats: () => ({ live: live.size, running: slots.taken, queued: queue.waiting, full: isCrowded() }),

    /**
     * Starts no new rounds and stops the running ones after `ms`. False if some did not stop, or a call with a possible
     * effect did not; they can store nothing once the store is closed.
     */
    async drain(ms: number): Promise<boolean> {
      draining.abort()
      const all = live.allSettled()
      const isOver = await within(ms, all)
      stopping.abort('stopping')
      return (isOver || (await within(STOP_MS, all))) && !live.leftBehind
    },

    /** Drops all sessions in memory without storing anything more, because other nodes may own them by now. */
    giveUp(): void {
      const before = stopping
      stopping = new AbortController()
      live.giveUp()
      before.abort('stopping')
    },
  }
}

function busy(): Problem {
  return new Problem(
    'BUSY',
    'This session is answering another message. Wait for it, or send with onBusy "queue" or "interrupt".',
  )
}
