import { cutEnd } from '../cut-end.ts'

/** Collects `count` lines from `first` on, at most `chars` characters, of a text that comes in pieces. */
export class LineWindow {
  readonly #first: number
  readonly #end: number
  readonly #chars: number
  #text = ''
  /** the line of the next character, and where it begins in the text */
  #line = 1
  #lineStart = 0
  #isLineStart = true
  #goesOn = false

  constructor(first: number, count: number, chars: number) {
    this.#first = first
    this.#end = first + count
    this.#chars = chars
  }

  /** true if further pieces cannot change the text */
  get isFull(): boolean {
    return this.#goesOn
  }

  add(piece: string): void {
    let at = 0
    while (at < piece.length && !this.#goesOn) {
      const newline = piece.indexOf('\n', at)
      const end = newline === -1 ? piece.length : newline + 1
      if (this.#line >= this.#first) this.#keep(piece.slice(at, end))
      if (!this.#goesOn) this.#step(newline !== -1)
      at = end
    }
  }

  text(name: string): string {
    if (this.#goesOn) return `${this.#text}${this.#note()}`
    if (this.#text !== '') return this.#text
    const lastLine = this.#isLineStart ? this.#line - 1 : this.#line
    if (lastLine === 0) return `("${name}" is empty)`
    throw new Error(`"${name}" has no line ${this.#first}; its last line is ${lastLine}.`)
  }

  #step(isNewLine: boolean): void {
    this.#isLineStart = isNewLine
    if (!isNewLine) return
    this.#line += 1
    this.#lineStart = this.#text.length
  }

  #keep(part: string): void {
    const room = this.#chars - this.#text.length
    this.#goesOn = this.#line >= this.#end || part.length > room
    if (!this.#goesOn) this.#text += part
    else if (this.#lineStart > 0) this.#text = this.#text.slice(0, this.#lineStart)
    else this.#text += part.slice(0, cutEnd(part, room))
  }

  #note(): string {
    return this.#lineStart > 0
      ? `[… the file goes on; read on with offset ${this.#line}]`
      : `\n[… line ${this.#line} goes on, and is too long to be shown whole]`
  }
}
