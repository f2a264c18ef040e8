import { type Token, tokenize } from './tokenize.ts'

export const LONGEST_EXPRESSION = 1000
const DEEPEST = 100
const CONSTANTS = new Map([
  ['pi', Math.PI],
  ['e', Math.E],
])

const FUNCTIONS = new Map<string, (...values: number[]) => number>([
  ['sqrt', Math.sqrt],
  ['abs', Math.abs],
  ['round', Math.round],
  ['floor', Math.floor],
  ['ceil', Math.ceil],
  ['min', Math.min],
  ['max', Math.max],
  ['log', Math.log10],
  ['ln', Math.log],
  ['exp', Math.exp],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['tan', Math.tan],
])
/** All others take one number. */
const TAKE_SEVERAL = ['min', 'max']

/** The value of an arithmetic expression; throws an error that people understand. */
export function evaluate(expression: string): number {
  if (expression.length > LONGEST_EXPRESSION) {
    throw new Error(`The expression has ${expression.length} characters; at most ${LONGEST_EXPRESSION} are allowed.`)
  }
  return new Parser(tokenize(expression)).all()
}

/** A recursive descent parser. A minus sign binds less than ^, so -2^2 is -4. */
class Parser {
  readonly #tokens: readonly Token[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  all(): number {
    const value = this.#sum()
    if (this.#peek() !== undefined) throw this.#unexpected()
    return value
  }

  #sum(): number {
    let value = this.#product()
    for (;;) {
      if (this.#take('+')) value = finite(value + this.#product())
      else if (this.#take('-')) value = finite(value - this.#product())
      else return value
    }
  }

  #product(): number {
    let value = this.#signed()
    for (;;) {
      if (this.#take('*')) value = finite(value * this.#signed())
      else if (this.#take('/')) value = finite(value / this.#divisor())
      else if (this.#take('%')) value = finite(value % this.#divisor())
      else return value
    }
  }

  #divisor(): number {
    const value = this.#signed()
    if (value === 0) throw new Error('Division by zero.')
    return value
  }

  #signed(): number {
    return this.#deeper(() => {
      if (this.#take('-')) return -this.#signed()
      if (this.#take('+')) return this.#signed()
      const base = this.#operand()
      if (!this.#take('^')) return base
      const exponent = this.#signed()
      if (base === 0 && exponent < 0) throw new Error('Division by zero.')
      return finite(base ** exponent)
    })
  }

  #operand(): number {
    const token = this.#peek()
    if (token?.type === 'number') {
      this.#at += 1
      return finite(token.value)
    }
    if (token?.type === 'name') {
      this.#at += 1
      return this.#named(token.text)
    }
    if (!this.#take('(')) throw this.#unexpected()
    const value = this.#sum()
    this.#expect(')')
    return value
  }

  #named(name: string): number {
    const constant = CONSTANTS.get(name)
    if (constant !== undefined) return constant
    const apply = FUNCTIONS.get(name)
    if (apply === undefined) {
      throw new Error(`"${name}" is not known here; use ${[...FUNCTIONS.keys(), ...CONSTANTS.keys()].join(', ')}.`)
    }
    this.#expect('(')
    const values = [this.#sum()]
    while (this.#take(',')) values.push(this.#sum())
    this.#expect(')')
    if (values.length > 1 && !TAKE_SEVERAL.includes(name))
      throw new Error(`${name} takes one number, not ${values.length}.`)
    return finite(apply(...values), name)
  }

  #deeper(parse: () => number): number {
    this.#depth += 1
    if (this.#depth > DEEPEST) throw new Error(`The expression is nested more than ${DEEPEST} levels deep.`)
    const value = parse()
    this.#depth -= 1
    return value
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at]
  }

  #take(sign: string): boolean {
    const token = this.#peek()
    if (token?.type !== 'sign' || token.text !== sign) return false
    this.#at += 1
    return true
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw new Error(`Expected "${sign}" but ${this.#found()}.`)
  }

  #unexpected(): Error {
    return new Error(`Expected a number or an operator but ${this.#found()}.`)
  }

  #found(): string {
    const token = this.#peek()
    return token === undefined ? 'the expression ends' : `found "${token.text}" at character ${token.at + 1}`
  }
}

function finite(value: number, name?: string): number {
  if (Number.isFinite(value)) return value
  if (Number.isNaN(value)) throw new Error(`${name ?? 'The power'} has no real value here.`)
  throw new Error(name === 'ln' || name === 'log' ? `${name} of zero has no value.` : 'The result is too large.')
}
