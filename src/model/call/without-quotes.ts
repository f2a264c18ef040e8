import { setImmediate } from 'node:timers/promises'

/** So many characters in a row are a quote; of letters and digits alone a few less. */
const QUOTE_CHARS = 20
const QUOTE_LETTERS = 16
const LEFT_OUT = '[…]'

/**
 * A message without what it quotes of the texts: any 20 characters that occur in them, and anything that only differs in
 * space, punctuation, case or JSON escapes. Takes time in proportion to the texts, and yields to other work.
 */
export async function withoutQuotes(message: string, texts: Iterable<string>): Promise<string> {
  const letters = lettersOf(message)
  const exact = findWindows(message, QUOTE_CHARS)
  const loose = findWindows(letters.text, QUOTE_LETTERS)
  const quoted = new Uint8Array(message.length)
  for (const slab of slabs(texts)) {
    for (const at of exact.see(slab)) quoted.fill(1, at, at + QUOTE_CHARS)
    for (const at of loose.see(plain(slab))) quoted.fill(1, letters.starts[at], letters.ends[at + QUOTE_LETTERS - 1])
    if (slab.length === SLAB) await setImmediate()
  }
  return cut(message, quoted)
}

const SLAB = 50_000

/** In pieces that take milliseconds, each with the end of the one before. */
function* slabs(texts: Iterable<string>): Iterable<string> {
  for (const text of texts) for (let at = 0; at < text.length; at += SLAB - OVERLAP) yield text.slice(at, at + SLAB)
}
const OVERLAP = 200

function cut(message: string, quoted: Uint8Array): string {
  let kept = ''
  for (let at = 0; at < message.length; at++) {
    if (!quoted[at]) kept += message.charAt(at)
    else if (!quoted[at - 1]) kept += LEFT_OUT
  }
  return kept.toWellFormed()
}

const ESCAPED_CODE = /\\{1,4}u([0-9a-fA-F]{4})/g
const ESCAPE = /\\{1,4}[nrtbf]?/g
const NO_LETTERS = /[^\p{L}\p{N}]/gu

/** Letters and digits only, in capitals, because small ones depend on their neighbours in some languages. */
function plain(text: string): string {
  const decoded = text.includes('\\') ? text.replace(ESCAPED_CODE, decode).replace(ESCAPE, ' ') : text
  return decoded.replace(NO_LETTERS, '').toUpperCase()
}
const decode = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16))

const PIECE = /\\{1,4}u[0-9a-fA-F]{4}|\\{1,4}[nrtbf]?|[^]/gu

/** The same of a message, with the place of each letter in it. */
function lettersOf(message: string): { text: string; starts: number[]; ends: number[] } {
  let text = ''
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: piece, index } of message.matchAll(PIECE)) {
    const letters = plain(piece)
    text += letters
    for (let n = 0; n < letters.length; n++) {
      starts.push(index)
      ends.push(index + piece.length)
    }
  }
  return { text, starts, ends }
}

/** Finds where the windows of a short text occur in long ones, with a rolling hash; each window is found once. */
function findWindows(short: string, size: number) {
  const places = new Map<string, number[]>()
  for (let at = 0; at + size <= short.length; at++) {
    const window = short.slice(at, at + size)
    const same = places.get(window)
    if (same) same.push(at)
    else places.set(window, [at])
  }
  const hashes = new Set([...places.keys()].map((window) => rolling(size).last(window)))
  return {
    *see(text: string): Iterable<number> {
      if (places.size === 0) return
      const roll = rolling(size)
      for (let at = 0; at < text.length; at++) {
        const hash = roll.next(text, at)
        if (at + 1 < size || !hashes.has(hash)) continue
        const window = text.slice(at + 1 - size, at + 1)
        const found = places.get(window)
        if (!found) continue
        places.delete(window)
        yield* found
      }
    },
  }
}

/** Unknown to strangers, so that they cannot make texts whose hashes collide. */
const BASE = (Math.floor(Math.random() * 2 ** 30) << 1) | 1

function rolling(size: number) {
  let first = 1
  for (let n = 0; n < size; n++) first = Math.imul(first, BASE)
  let hash = 0
  function next(text: string, at: number): number {
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0
    if (at >= size) hash = (hash - Math.imul(first, text.charCodeAt(at - size))) | 0
    return hash
  }
  return {
    next,
    /** The hash of a window. */
    last(window: string): number {
      for (let at = 0; at < window.length; at++) next(window, at)
      return hash
    },
  }
}
