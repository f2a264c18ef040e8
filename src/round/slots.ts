import { isSuspect } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/** Gives back a slot. */
type Release = () => void
type Waiter = (slot: Release) => void
type Queues = Map<string, Waiter[]>

export type Slots = ReturnType<typeof createSlots>

/**
 * At most `size` rounds run at once and the others wait. Actors take turns, so that somebody who asks for a hundred
 * rounds does not hold up somebody who asks for one. Rounds that were running when this process started come first.
 */
export function createSlots(size: number) {
  const [firsts, others]: [Queues, Queues] = [new Map(), new Map()]
  let taken = 0
  let waiting = 0

  function release(): Release {
    let done = false
    return () => {
      if (done) return
      done = true
      const next = nextWaiter()
      if (next) next(release())
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

  /** A slot, if one is free now. */
  function tryTake(): Release | undefined {
    if (taken >= size || waiting > 0) return undefined
    taken += 1
    return release()
  }

  return {
    tryTake,
    /** A slot when it is this actor's turn; undefined if `signal` aborts first. */
    take(actor: string, signal: AbortSignal, first = false): Promise<Release | undefined> {
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
        const waiter: Waiter = (slot) => {
          signal.removeEventListener('abort', leave)
          resolve(slot)
        }
        signal.addEventListener('abort', leave, { once: true })
        queues.set(actor, [...(queues.get(actor) ?? []), waiter])
        waiting += 1
      })
    },
    get taken(): number {
      return taken
    },
    get waiting(): number {
      return waiting
    },
  }
}

/** The right to drive the round of one session. */
export class RoundSlot {
  readonly #session: OwnedSession
  readonly #slots: Slots
  readonly #suspects: Slots
  #release: Release | undefined
  /** held by a suspect round until it makes progress */
  #alone: Release | undefined

  constructor(session: OwnedSession, slots: Slots, suspects: Slots) {
    this.#session = session
    this.#slots = slots
    this.#suspects = suspects
    // A round that makes progress does not kill the process.
    session.onStored = () => {
      if (!session.found && (session.state.round?.takeovers ?? 0) === 0) this.#letOthers()
    }
  }

  get isHeld(): boolean {
    return this.#release !== undefined
  }

  hold(free: Release): void {
    this.#release = free
  }

  /** Waits for a slot; false if `signal` aborts first. */
  async take(actor: string, signal: AbortSignal): Promise<boolean> {
    const { found, state } = this.#session
    const mustBeAlone = found && state.round !== null && isSuspect(state.round)
    if (mustBeAlone) this.#alone = await this.#suspects.take(actor, signal)
    if (mustBeAlone && !this.#alone) return false
    this.#release = await this.#slots.take(actor, signal, found)
    if (!this.#release) this.#letOthers()
    return this.#release !== undefined
  }

  giveBack(): void {
    this.#release?.()
    this.#release = undefined
    this.#letOthers()
  }

  #letOthers(): void {
    this.#alone?.()
    this.#alone = undefined
  }
}
