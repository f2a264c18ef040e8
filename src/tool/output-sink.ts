/** The most of one output that is read. */
export const MOST_BYTES = 8 * 1024 * 1024

const FIRST_BYTES = 64 * 1024
const encoder = new TextEncoder()

/** Collects an output that comes in pieces, in one buffer so that millions of tiny pieces take little memory. */
export class OutputSink {
  #bytes = new Uint8Array(0)
  #used = 0
  /** the first half of a surrogate pair, waiting for the next piece */
  #half = ''
  #full = false

  /** true if something was left out */
  get full(): boolean {
    return this.#full
  }

  add(piece: unknown): void {
    if (typeof piece === 'string') this.#addText(this.#half + piece)
    else if (piece instanceof Uint8Array) this.#addBytes(piece)
    else throw new TypeError(`The tool yielded a value of type ${typeof piece}; only text and bytes can be yielded.`)
  }

  take(): Uint8Array {
    this.#flushHalf()
    return this.#bytes.subarray(0, this.#used)
  }

  #addText(text: string): void {
    const last = text.charCodeAt(text.length - 1)
    const isHalf = last >= 0xd800 && last <= 0xdbff
    this.#half = isHalf ? text.slice(-1) : ''
    this.#write(isHalf ? text.slice(0, -1) : text)
  }

  #addBytes(bytes: Uint8Array): void {
    this.#flushHalf()
    const room = MOST_BYTES - this.#used
    const kept = bytes.subarray(0, room)
    this.#grow(kept.length)
    this.#bytes.set(kept, this.#used)
    this.#used += kept.length
    if (bytes.length > room) this.#full = true
  }

  #flushHalf(): void {
    const half = this.#half
    this.#half = ''
    this.#write(half)
  }

  #write(text: string): void {
    this.#grow(text.length * 3)
    const { read, written } = encoder.encodeInto(text, this.#bytes.subarray(this.#used))
    this.#used += written
    if (read < text.length) this.#full = true
  }

  #grow(more: number): void {
    const needed = Math.min(this.#used + more, MOST_BYTES)
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(Math.min(Math.max(needed, this.#bytes.length * 2, FIRST_BYTES), MOST_BYTES))
    larger.set(this.#bytes.subarray(0, this.#used))
    this.#bytes = larger
  }
}
