/** A piece of a word and how likely it is (the logarithm), as the vocabulary of the model lists them. */
export type Vocabulary = readonly (readonly [piece: string, score: number | null])[]

/** Stands for the space before a word. */
const SPACE = '\u2581'
const UNKNOWN = 0
/** The first entries are no pieces of text. */
const RESERVED = 6
/** Worse than any piece, so that it is chosen only where nothing fits. */
const UNKNOWN_SCORE = -30

/**
 * Cuts texts into the pieces the model was trained with (SentencePiece, unigram): of all ways to cut a text the
 * likeliest one. Gives the numbers of the pieces; at least one.
 */
export function sentencePieces(vocabulary: Vocabulary): (text: string) => number[] {
  const pieces = new Map<string, { id: number; score: number }>()
  vocabulary.forEach(([piece, score], id) => {
    // A few entries have no score: the list was read with ":" as a separator.
    if (id >= RESERVED) pieces.set(piece, { id, score: score ?? 0 })
  })
  const longest = Math.max(...vocabulary.map(([piece]) => piece.length))

  return (text) => {
    const written = SPACE + text.normalize('NFKC').trim().replace(/\s+/gu, SPACE)
    // For every place in the text the best way to get there: its score, the last piece and where that begins.
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
      // A row of unknown characters counts as one.
      if (id !== UNKNOWN || ids.at(-1) !== UNKNOWN) ids.push(id)
      at = from
    }
    return ids.reverse()
  }
}
