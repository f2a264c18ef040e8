import { unescapeText } from './entities.ts'

export type Target = { target: string; title: string; end: number }
export type Address = { text: string; end: number }

// A limit for each target, so that many failed attempts stay cheap.
const DEEPEST_PARENTHESES = 32

/** Reads `(target "title")` of a link or an image; `at` is the place of the opening parenthesis. */
export function targetAt(text: string, at: number): Target | undefined {
  if (text[at] !== '(') return undefined
  const start = skipSpace(text, at + 1)
  const end = text[start] === '<' ? endOfAngled(text, start) : endOfBare(text, start)
  if (end === undefined) return undefined
  const target = text[start] === '<' ? text.slice(start + 1, end - 1) : text.slice(start, end)
  const afterSpace = skipSpace(text, end)
  const title = afterSpace > end ? titleAt(text, afterSpace) : undefined
  const close = title === undefined ? afterSpace : skipSpace(text, title.end)
  if (text[close] !== ')') return undefined
  return { target: unescapeText(target), title: unescapeText(title?.text ?? ''), end: close + 1 }
}

function skipSpace(text: string, at: number): number {
  let here = at
  while (text[here] === ' ' || text[here] === '\n' || text[here] === '\t') here++
  return here
}

function endOfAngled(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '>') return at + 1
    if (char === '<' || char === '\n') return undefined
    if (char === '\\') at++
  }
  return undefined
}

function endOfBare(text: string, start: number): number | undefined {
  let open = 0
  let at = start
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char <= ' ' || char === '\u007f') break
    if (char === '(' && ++open > DEEPEST_PARENTHESES) return undefined
    if (char === ')' && --open < 0) break
    if (char === '\\' && isPunctuation(text[at + 1])) at++
  }
  return open > 0 ? undefined : at
}

function titleAt(text: string, start: number): Address | undefined {
  const first = text[start]
  const close = first === '(' ? ')' : first
  if (close !== '"' && close !== "'" && close !== ')') return undefined
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === close) return { text: text.slice(start + 1, at), end: at + 1 }
    if (char === '(' && close === ')') return undefined
    if (char === '\\') at++
  }
  return undefined
}

export function isPunctuation(char: string | undefined): boolean {
  return char !== undefined && /[!-/:-@[-`{-~]/.test(char)
}

const SCHEME = /^(?:https?:\/\/|mailto:)/i
const MAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9.-]{1,255}$/i

/** Reads `<https://…>` or `<somebody@example.org>`. */
export function angledAddressAt(text: string, at: number): (Address & { target: string }) | undefined {
  let end = at + 1
  for (; end < text.length && text[end] !== '>'; end++) {
    const char = text[end] ?? ''
    if (char <= ' ' || char === '<') return undefined
  }
  if (end >= text.length) return undefined
  const inside = text.slice(at + 1, end)
  if (SCHEME.test(inside)) return { text: inside, target: inside, end: end + 1 }
  if (MAIL.test(inside)) return { text: inside, target: `mailto:${inside}`, end: end + 1 }
  return undefined
}

const BARE_START = /(?:https?:\/\/|www\.)(?=[\p{L}\p{N}])/iuy
// Where an address in running text ends: spaces, brackets of any script, quotes, marks of other syntax.
const BARE_END = /[\s<>`"\p{C}\p{Ps}\p{Pi}\p{Pf}\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f]/u
const TRAILING = new Set(['?', '!', '.', ',', ':', ';', '*', '_', '~', "'", ')'])

/** Reads an address written into running text. Inside of brackets it ends with them. */
export function bareAddressAt(
  text: string,
  at: number,
  inBrackets: boolean,
): (Address & { target: string }) | undefined {
  BARE_START.lastIndex = at
  const start = BARE_START.exec(text)
  if (start === null || (at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1] ?? ''))) return undefined
  let end = at + start[0].length
  let surplus = 0
  for (; end < text.length; end++) {
    const char = text[end] ?? ''
    if (char === '(') surplus--
    else if (char === ')') surplus++
    else if ((inBrackets && char === ']') || BARE_END.test(char)) break
  }
  for (; TRAILING.has(text[end - 1] ?? ''); end--) {
    if (text[end - 1] !== ')') continue
    if (surplus <= 0) break
    surplus--
  }
  const found = text.slice(at, end)
  return { text: found, target: start[0].toLowerCase() === 'www.' ? `https://${found}` : found, end }
}
