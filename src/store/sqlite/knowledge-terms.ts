/** A search with more words costs time and finds the same. */
const MOST = { chars: 10_000, words: 32, letters: 100 } as const

/** English words that are in most passages, so that they say nothing about one. */
const SAY_LITTLE = new Set(
  `a about after all also an and any are as at be been before but by can could did do does for from get had has have he
  her his how i if in into is it its just like me more most my no not of on one only or other our out over she should so
  some such than that the their them then there these they this to up us was we were what when where which who why will
  with would you your`.split(/\s+/),
)

/**
 * What FTS5 is asked for a text: any of its words, each quoted, so that no sign of it means anything. Words that say
 * little count only where there are no others. Undefined if it has no words.
 */
export function termsOf(text: string): string | undefined {
  const words =
    text
      .slice(0, MOST.chars)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const known = [...new Set(words)].filter((word) => word.length <= MOST.letters)
  const telling = known.filter((word) => !SAY_LITTLE.has(word))
  const asked = (telling.length > 0 ? telling : known).slice(0, MOST.words)
  return asked.length === 0 ? undefined : asked.map((word) => `"${word}"`).join(' OR ')
}
