export type Token =
  | { readonly type: 'number'; readonly text: string; readonly at: number; readonly value: number }
  | { readonly type: 'name' | 'sign'; readonly text: string; readonly at: number }

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|(?<name>[a-z_]\w*)|(?<sign>\*\*|[-+*/%^(),×÷−]))/iy
const SAME_SIGNS = new Map([
  ['**', '^'],
  ['×', '*'],
  ['÷', '/'],
  ['−', '-'],
])

/** The numbers, names and signs of an arithmetic expression. */
export function tokenize(expression: string): Token[] {
  const source = expression.trimEnd()
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(source)
    if (found === null) throw new Error(`${strange(source, at)} does not belong in an expression.`)
    const start = at + found[0].length - found[0].trimStart().length
    tokens.push(token(found.groups ?? {}, start))
    at += found[0].length
  }
  return tokens
}

function token({ number, name, sign }: Record<string, string | undefined>, at: number): Token {
  if (number !== undefined) return { type: 'number', text: number, at, value: Number(number) }
  if (name !== undefined) return { type: 'name', text: name.toLowerCase(), at }
  const text = sign ?? ''
  return { type: 'sign', text: SAME_SIGNS.get(text) ?? text, at }
}

function strange(source: string, at: number): string {
  const rest = source.slice(at).trimStart()
  return `${JSON.stringify(String.fromCodePoint(rest.codePointAt(0) ?? 0))} at character ${source.length - rest.length + 1}`
}
