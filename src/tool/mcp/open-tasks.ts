import type { Clock } from '../../lib/clock.ts'

/** Longer than the longest time between two questions about a task. */
const FORGOTTEN_MS = 5 * 60_000

/** Tasks of a running server that are asked about here; one that nobody asks about any more is forgotten. */
export class OpenTasks {
  readonly #clock: Clock
  readonly #node: () => string
  readonly #open = new Map<string, { at: number; faults: number }>()

  constructor(clock: Clock, node: () => string) {
    this.#clock = clock
    this.#node = node
  }

  /** the node that asks about what begins here */
  get node(): string {
    return this.#node()
  }

  /** Whether the server must go on because of them. */
  get isAny(): boolean {
    const since = this.#clock.now() - FORGOTTEN_MS
    for (const [task, { at }] of this.#open) if (at < since) this.#open.delete(task)
    return this.#open.size > 0
  }

  keep(task: string): void {
    this.#open.set(task, { at: this.#clock.now(), faults: this.#open.get(task)?.faults ?? 0 })
  }

  /** Counts what went wrong with a task, and returns how often it did. */
  fault(task: string): number {
    const found = this.#open.get(task)
    return found ? (found.faults += 1) : 1
  }

  drop(task: string): void {
    this.#open.delete(task)
  }
}
