import { delay } from '../../lib/delay.ts'

/** A state that others can wait for. */
export class WatchedState<State> {
  #value: State
  #changed = Promise.withResolvers<void>()

  constructor(value: State) {
    this.#value = value
  }

  get value(): State {
    return this.#value
  }

  become(value: State): void {
    this.#value = value
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }

  /** Resolves when `isTrue`, when the time is over, or when the signal aborts. */
  async until(isTrue: () => boolean, ms: number, signal?: AbortSignal): Promise<void> {
    const enough = new AbortController()
    const time = delay(ms, AbortSignal.any([enough.signal, ...(signal ? [signal] : [])]))
    try {
      while (!isTrue()) {
        const isOver = await Promise.race([this.#changed.promise.then(() => false), time.then(() => true)])
        if (isOver) return
      }
    } finally {
      enough.abort()
    }
  }
}
