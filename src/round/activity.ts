import type { WhyStopped } from './stopping.ts'

/** `lost`: what is in memory cannot be trusted any more; the session is opened anew when somebody needs it. */
type State = { readonly kind: 'resting' } | Driven | { readonly kind: 'lost' }

export interface Driven {
  readonly kind: 'driven'
  /** it was told to look once more when it is through */
  again: boolean
  doing: Doing
}

/** It looks what there is to do and stores what came of it, waits for a slot, or runs a round. */
export type Doing =
  | { readonly kind: 'looking' }
  | { readonly kind: 'inLine'; readonly leave: AbortController }
  | { readonly kind: 'running'; readonly stop: AbortController }

export const LOOKING: Doing = { kind: 'looking' }

/** What is being done for one session. A session that is lost stays lost. */
export class Activity {
  readonly #hasRound: () => boolean
  #state: State = { kind: 'resting' }
  /** who waits for `settled`, and whether for rounds too */
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

  /** Resolves when nothing is being done, or with `roundsToo` false nothing but driving a round. */
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
    const isAtRound = this.#hasRound() || this.#doing?.kind === 'inLine'
    for (const [tell, roundsToo] of this.#waiting) {
      if (this.#doing && (roundsToo || !isAtRound)) continue
      this.#waiting.delete(tell)
      tell()
    }
  }
}
