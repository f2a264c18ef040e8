/** What a chunk should have: long enough to mean something, short enough to be about one thing. */
export const TARGET_CHARS = 900
export const MOST_CHARS = 1_500
/** What is shorter than this is not cut off on its own, and is kept with what follows. */
export const LEAST_CHARS = 300

const SENTENCE_MARKS = '.!?…'
/** These end a sentence without a blank after them. */
const WIDE_MARKS = '。！？'
const CLOSERS = `)]"'”’»」』`

/** A paragraph in pieces that joined give it back, none longer than `MOST_CHARS`; one that fits stays whole. */
export function splitParagraph(text: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (text.length - from > MOST_CHARS) {
    const to = from + placeToCut(text.slice(from, from + MOST_CHARS))
    pieces.push(text.slice(from, to))
    from = to
  }
  pieces.push(text.slice(from))
  return pieces
}

/** After a sentence, else after a line, else after a blank, else anywhere but inside of a character. */
function placeToCut(window: string): number {
  const best: { sentence?: number; line?: number; blank?: number } = {}
  let isSentenceOver = false
  let isLineOver = false
  for (let at = 1; at < window.length; at += 1) {
    const before = window.charAt(at - 1)
    const isGap = isBlank(before)
    if (!isGap && !CLOSERS.includes(before)) isSentenceOver = (SENTENCE_MARKS + WIDE_MARKS).includes(before)
    isLineOver = isGap && (isLineOver || before === '\n')
    // The better of two places is the last one before the target, or else the first one after it.
    const isBetter = (known: number | undefined): boolean => at <= TARGET_CHARS || known === undefined
    const here = window.charAt(at)
    if (at < LEAST_CHARS || isBlank(here)) continue
    const endsSentence = (isGap && isSentenceOver) || (WIDE_MARKS.includes(before) && !CLOSERS.includes(here))
    if (endsSentence && isBetter(best.sentence)) best.sentence = at
    if (isLineOver && isBetter(best.line)) best.line = at
    if (isGap && isBetter(best.blank)) best.blank = at
  }
  return best.sentence ?? best.line ?? best.blank ?? wholeCharacters(window, TARGET_CHARS)
}

/** At most `most`, and not between the two halves of a character. */
export function wholeCharacters(text: string, most: number): number {
  const last = text.charCodeAt(most - 1)
  return last >= 0xd800 && last <= 0xdbff ? most - 1 : most
}

function isBlank(character: string): boolean {
  return character.trim() === ''
}
