/** Counts o200k tokens; other encodings differ by some percent. */
export type CountTokens = (text: string) => number

/** An upper bound, because a token is at least a byte. */
export const maxTokens = (text: string): number => Buffer.byteLength(text)

let loading: Promise<CountTokens> | undefined

/** Loaded when first needed, because it takes 200 ms and 40 MB. */
export function loadTokenCounter(): Promise<CountTokens> {
  return (loading ??= load())
}

/**
 * Uses the package's ranks and splitting but our own merging: the package's is quadratic in the word length, refuses
 * texts such as <|endoftext|>, and caches whole texts.
 */
async function load(): Promise<CountTokens> {
  const [{ default: tokens }, { O200K_TOKEN_SPLIT_REGEX: words }] = await Promise.all([
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ])
  const ranks: Ranks = new Map()
  tokens.forEach((token, rank) => ranks.set(typeof token === 'string' ? bytesOf(token) : latin1(token), rank))
  return remembering((text) => {
    let count = 0
    for (let at = 0; at < text.length; at += SLAB) {
      for (const [word] of text.slice(at, at + SLAB).matchAll(words)) count += tokensOfWord(word, ranks)
    }
    return count
  })
}

/** A pattern over millions of characters exhausts the stack. */
const SLAB = 100_000

/** From bytes, one character each, to their merge rank. */
type Ranks = Map<string, number>

/** Longer words are no natural language and are counted in pieces. */
const LONGEST_WORD = 128
const PIECES = new RegExp(`[^]{1,${LONGEST_WORD}}`, 'gu')

function tokensOfWord(word: string, ranks: Ranks): number {
  if (word.length <= LONGEST_WORD) return tokensOfBytes(bytesOf(word), ranks)
  let count = 0
  let before = ''
  let tokens = 0
  for (const [piece] of word.matchAll(PIECES)) {
    // Often the same character repeated.
    if (piece !== before) tokens = tokensOfBytes(bytesOf(piece), ranks)
    before = piece
    count += tokens
  }
  return count
}

const NO_TOKEN = 0x7fffffff
const MOST_BYTES = 4 * LONGEST_WORD
/**
 * where each part begins, and the rank of each part joined with the next; shared by all counts, which are synchronous
 */
const starts = new Int32Array(MOST_BYTES + 1)
const pairs = new Int32Array(MOST_BYTES)

/** Byte-pair encoding: merges the neighbours with the lowest rank until no pair is a token. */
function tokensOfBytes(bytes: string, ranks: Ranks): number {
  if (ranks.has(bytes)) return 1
  let parts = bytes.length
  const rankAt = (part: number): number =>
    part + 2 > parts ? NO_TOKEN : (ranks.get(bytes.slice(starts[part], starts[part + 2])) ?? NO_TOKEN)
  for (let part = 0; part <= parts; part++) starts[part] = part
  for (let part = 0; part < parts; part++) pairs[part] = rankAt(part)
  for (;;) {
    let lowest = NO_TOKEN
    let at = -1
    for (let part = 0; part < parts; part++) {
      const rank = pairs[part] as number
      if (rank >= lowest) continue
      lowest = rank
      at = part
    }
    if (at < 0) return parts
    starts.copyWithin(at + 1, at + 2, parts + 1)
    pairs.copyWithin(at, at + 1, parts)
    parts -= 1
    pairs[at] = rankAt(at)
    if (at > 0) pairs[at - 1] = rankAt(at - 1)
  }
}

const ASCII = /^\p{ASCII}*$/u
const bytesOf = (text: string): string => (ASCII.test(text) ? text : Buffer.from(text).toString('latin1'))
const latin1 = (bytes: readonly number[]): string => String.fromCharCode(...bytes)

/** A cache, because prompts and results are counted again in every turn. */
const REMEMBERED_CHARS = 2_000_000

function remembering(count: CountTokens): CountTokens {
  const known = new Map<string, number>()
  let chars = 0
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const tokens = count(text)
    // One huge text must not evict all the others.
    if (text.length > REMEMBERED_CHARS / 4) return tokens
    known.set(text, tokens)
    chars += text.length
    for (const oldest of known.keys()) {
      if (chars <= REMEMBERED_CHARS) break
      known.delete(oldest)
      chars -= oldest.length
    }
    return tokens
  }
}
