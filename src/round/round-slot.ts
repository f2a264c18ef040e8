import { isSuspect } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'
import type { Slots } from './slots.ts'

/** The right to drive the round of one session. */
export class RoundSlot {
  readonly #session: OwnedSession
  readonly #slots: Slots
  readonly #suspects: Slots
  #release: (() => void) | undefined
  /** held by a suspect round until it moves on */
  #alone: (() => void) | undefined

  constructor(session: OwnedSession, slots: Slots, suspects: Slots) {
    this.#session = session
    this.#slots = slots
    this.#suspects = suspects
    session.onStored = () => this.#progressed()
  }

  get isHeld(): boolean {
    return this.#release !== undefined
  }

  /** One that was free. */
  hold(release: () => void): void {
    this.#release = release
  }

  /** Waits for one; false if `signal` aborts first. A round that was found running comes before messages that wait. */
  async take(actor: string, signal: AbortSignal): Promise<boolean> {
    const { found, state } = this.#session
    const mustBeAlone = found && state.round !== null && isSuspect(state.round)
    if (mustBeAlone) this.#alone = await this.#suspects.take(actor, signal)
    if (mustBeAlone && !this.#alone) return false
    this.#release = await this.#slots.take(actor, signal, found)
    if (!this.#release) this.#letOthers()
    return this.isHeld
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

  /** A round that has moved on, in the log, is not what kills the process. */
  #progressed(): void {
    const { found, state } = this.#session
    if (!found && (state.round?.takeovers ?? 0) === 0) this.#letOthers()
  }
}
