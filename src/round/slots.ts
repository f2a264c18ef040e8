import { isSuspect } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/**
 * At most `size` rounds run at once; the others wait. Whose turn it is goes round by actor, so that one who asks for
 * a hundred rounds does not hold up the one who asks for a single one. Who is first (a round that was running when this
 * process began) comes before all who are not.
 */
export interface Slots {
  /** A free slot now, or nothing. */
  tryTake(): (() => void) | undefined
  /** A slot when it is this actor's turn; undefined if `signal` aborts first. */
  take(actor: string, signal: AbortSignal, first?: boolean): Promise<(() => void) | undefined>
  readonly taken: number
  readonly waiting: number
}

interface Waiter {
  readonly give: (release: () => void) => void
}

type Queues = Map<string, Waiter[]>

export function createSlots(size: number): Slots {
  const [firsts, others]: [Queues, Queues] = [new Map(), new Map()]
  let taken = 0
  let waiting = 0

  function release(): () => void {
    let done = false
    return () => {
      if (done) return
      done = true
      const next = nextWaiter()
      if (next) next.give(release())
      else taken -= 1
    }
  }

  function nextWaiter(): Waiter | undefined {
    const queues = firsts.size > 0 ? firsts : others
    const [next] = queues
    if (!next) return undefined
    const [actor, queue] = next
    const waiter = queue.shift()
    queues.delete(actor)
    if (queue.length > 0) queues.set(actor, queue)
    if (waiter) waiting -= 1
    return waiter
  }

  function tryTake(): (() => void) | undefined {
    if (taken >= size || waiting > 0) return undefined
    taken += 1
    return release()
  }

  return {
    tryTake,
    take(actor, signal, first = false) {
      const queues = first ? firsts : others
      const free = signal.aborted ? undefined : tryTake()
      if (free || signal.aborted) return Promise.resolve(free)
      return new Promise((resolve) => {
        const leave = (): void => {
          const queue = queues.get(actor)
          const at = queue?.indexOf(waiter) ?? -1
          if (!queue || at < 0) return
          queue.splice(at, 1)
          waiting -= 1
          if (queue.length === 0) queues.delete(actor)
          resolve(undefined)
        }
        const waiter: Waiter = {
          give(slot) {
            signal.removeEventListener('abort', leave)
            resolve(slot)
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        queues.set(actor, [...(queues.get(actor) ?? []), waiter])
        waiting += 1
      })
    },
    get taken() {
      return taken
    },
    get waiting() {
      return waiting
    },
  }
}

export type RoundSlot = ReturnType<typeof roundSlot>

/** The right to drive the round of one session. */
export function roundSlot(session: OwnedSession, slots: Slots, suspects: Slots) {
  let release: (() => void) | undefined
  /** held by a suspect round until it moves on */
  let alone: (() => void) | undefined

  function letOthers(): void {
    alone?.()
    alone = undefined
  }

  // A round that has moved on, in the log, is not what kills the process.
  session.onStored = () => {
    if (!session.found && (session.state.round?.takeovers ?? 0) === 0) letOthers()
  }

  return {
    get isHeld(): boolean {
      return release !== undefined
    },
    /** One that was free. */
    hold(free: () => void): void {
      release = free
    },
    /** Waits for one; false if `signal` aborts first. A round that was found running comes before messages that wait. */
    async take(actor: string, signal: AbortSignal): Promise<boolean> {
      const { found, state } = session
      const mustBeAlone = found && state.round !== null && isSuspect(state.round)
      if (mustBeAlone) alone = await suspects.take(actor, signal)
      if (mustBeAlone && !alone) return false
      release = await slots.take(actor, signal, found)
      if (!release) letOthers()
      return release !== undefined
    },
    giveBack(): void {
      release?.()
      release = undefined
      letOthers()
    },
  }
}
