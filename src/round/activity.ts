import type { WhyStopped } from './stopping.ts'

/** `lost`: the state in memory is no longer valid, and the session must be opened again. */
type State = { readonly kind: 'resting' } | Driven | { readonly kind: 'lost' }

export interface Driven {
  readonly kind: 'driven'
  /** something came meanwhile, so it must look again */
  again: boolean
  doing: Doing
}

/** Looking for work and storing its result, waiting for a slot, or running a round. */
export type Doing =
  | { readonly kind: 'looking' }
  | { readonly kind: 'inLine'; readonly leave: AbortController }
  | { readonly kind: 'running'; readonly stop: AbortController }

export const LOOKING: Doing = { kind: 'looking' }

/** What is being done for one session; a lost session stays lost. */
export class Activity {
  readonly #hasRound: () => boolean
  #state: State = { kind: 'resting' }
  /** callers of `settled`, with whether they wait for rounds too */
  readonly #waiting = new Map<() => void, boolean>()

  constructor(hasRound: () => boolean) {
    this.#hasRound = hasRound
  }

  get kind(): State['kind'] {
    return this.#state.kind
  }

  get #doing(): Doing | undefined {
    return this.#state.kind === 'driven' ? this.#state.doing : undefined
  }

  get isInLine(): boolean {
    return this.#doing?.kind === 'inLine'
  }

  begin(): Driven {
    const driven: Driven = { kind: 'driven', again: false, doing: LOOKING }
    this.#become(driven)
    return driven
  }

  do(doing: Doing): void {
    if (this.#state.kind === 'driven') this.#state.doing = doing
    this.#tell()
  }

  lookAgain(): void {
    if (this.#state.kind === 'driven') this.#state.again = true
  }

  leaveLine(): void {
    if (this.#doing?.kind !== 'inLine') return
    this.#doing.leave.abort()
    this.do(LOOKING)
  }

  stopRound(why: WhyStopped): void {
    if (this.#doing?.kind === 'running') this.#doing.stop.abort(why)
  }

  rest(): void {
    if (this.#state.kind === 'driven') this.#become({ kind: 'resting' })
  }

  lose(): void {
    this.#become({ kind: 'lost' })
  }

  /** Resolves when nothing is being done; without `roundsToo`, a running or waiting round, or an ask, does not count. */
  settled(roundsToo: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(resolve, roundsToo)
      this.#tell()
    })
  }

  #become(state: State): void {
    this.#state = state
    this.#tell()
  }

  #tell(): void {
    const isAtRound = this.#hasRound() || this.#doing?.kind === 'inLine' || this.#doing?.kind === 'running'
    for (const [tell, roundsToo] of this.#waiting) {
      if (this.#doing && (roundsToo || !isAtRound)) continue
      this.#waiting.delete(tell)
      tell()
    }
  }
}
