import { setImmediate } from 'node:timers/promises'
import { OutputSink } from './output-sink.ts'
import { showPieces, type Redact, type ShownOutput } from './show-output.ts'

const BREATH_MS = 10

/** Reads what a tool yields until it ends, is full, or is closed, whichever comes first. */
export class PieceReader {
  readonly #sink = new OutputSink()
  readonly #onFull: () => void
  readonly #onPiece: (piece: string) => void
  #decoder: InstanceType<typeof TextDecoder> | undefined
  #iterator: AsyncIterator<unknown> | undefined
  #closed = false

  constructor(onFull: () => void, onPiece: (piece: string) => void) {
    this.#onFull = onFull
    this.#onPiece = onPiece
  }

  async read(pieces: AsyncIterable<unknown>): Promise<void> {
    const iterator = pieces[Symbol.asyncIterator]()
    this.#iterator = iterator
    if (this.#closed) return this.close()
    let breath = performance.now()
    while (!this.#closed) {
      const next = await iterator.next()
      if (this.#closed) return
      if (next.done === true) {
        this.#iterator = undefined
        return
      }
      this.#sink.add(next.value)
      this.#show(next.value)
      if (this.#sink.full) {
        this.#onFull()
        return this.close()
      }
      // Otherwise a generator that never waits would keep timers from firing, even its own deadline.
      if (performance.now() - breath > BREATH_MS) {
        await setImmediate()
        breath = performance.now()
      }
    }
  }

  show(chars: number, redact: Redact): ShownOutput {
    return showPieces(this.#sink, chars, redact)
  }

  #show(piece: unknown): void {
    if (typeof piece === 'string') this.#onPiece(piece)
    else if (piece instanceof Uint8Array)
      this.#onPiece((this.#decoder ??= new TextDecoder()).decode(piece, { stream: true }))
  }

  /** Ends the tool's generator without waiting for it. */
  close(): void {
    this.#closed = true
    const iterator = this.#iterator
    this.#iterator = undefined
    if (iterator === undefined) return
    void Promise.try(() => iterator.return?.()).catch(() => undefined)
  }
}
