import { Misbehaviour } from './trouble.ts'

/** Splits a stream of bytes into lines; throws for a line longer than `most` bytes. */
export class LineReader {
  readonly #most: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  *read(chunk: Buffer): Generator<string> {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end))
      from = end + 1
      const line = Buffer.concat(this.#parts, this.#bytes).toString('utf8')
      this.#clear()
      yield line
    }
    this.#keep(chunk.subarray(from))
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#most) {
      this.#clear()
      throw new Misbehaviour(`a message of its has more than ${this.#most} bytes`)
    }
    if (part.length > 0) this.#parts.push(part)
  }

  #clear(): void {
    this.#parts = []
    this.#bytes = 0
  }
}
