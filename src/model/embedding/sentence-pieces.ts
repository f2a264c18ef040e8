/** Pieces of words with the logarithm of their probability. */
export type Vocabulary = readonly (readonly [piece: string, score: number | null])[]

/** Stands for the space before a word. */
const SPACE = '\u2581'
const UNKNOWN = 0
/** The first entries are no text. */
const RESERVED = 6
/** Worse than any piece, so that it is used only where nothing fits. */
const UNKNOWN_SCORE = -30

/** Splits text into the most likely pieces (SentencePiece, unigram) and returns their ids, at least one. */
export function sentencePieces(vocabulary: Vocabulary): (text: string) => number[] {
  const pieces = new Map<string, { id: number; score: number }>()
  vocabulary.forEach(([piece, score], id) => {
    // A few entries have no score, because the list was parsed with ":" as separator.
    if (id >= RESERVED) pieces.set(piece, { id, score: score ?? 0 })
  })
  const longest = Math.max(...vocabulary.map(([piece]) => piece.length))

  return (text) => {
    const written = SPACE + text.normalize('NFKC').trim().replace(/\s+/gu, SPACE)
    // The best split up to each position: its score, the last piece and where that begins.
    const best: { score: number; id: number; from: number }[] = [{ score: 0, id: UNKNOWN, from: 0 }]
    for (let end = 1; end <= written.length; end++) {
      let found = { score: (best[end - 1]?.score ?? 0) + UNKNOWN_SCORE, id: UNKNOWN, from: end - 1 }
      for (let from = Math.max(0, end - longest); from < end; from++) {
        const piece = pieces.get(written.slice(from, end))
        if (!piece) continue
        const score = (best[from]?.score ?? 0) + piece.score
        if (score >= found.score) found = { score, id: piece.id, from }
      }
      best.push(found)
    }
    const ids: number[] = []
    for (let at = written.length; at > 0;) {
      const { id, from } = best[at] as { id: number; from: number }
      // A run of unknown characters counts as one.
      if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id)
      at = from
    }
    return ids.reverse()
  }
}
