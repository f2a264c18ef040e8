import type { Purpose } from '../../contract/event.ts'

const SUMMARY_CHARS = 400
const TITLE_WORDS = 6
const OPENING = /<untrusted-data (\w{1,64})>\n/

/** What is answered to Segno's own questions without a scenario for them: an extract, with nothing invented. */
export function answerTo(purpose: Purpose, message: string): string {
  const text = markedText(message).trim()
  switch (purpose) {
    case 'summary':
      return firstChars(text, SUMMARY_CHARS)
    case 'title':
      return text.split(/\s+/).slice(0, TITLE_WORDS).join(' ')
  }
}

/** The first text between markers, or the whole message if it has none. */
function markedText(message: string): string {
  const opening = OPENING.exec(message)
  if (!opening) return message
  const from = opening.index + opening[0].length
  const to = message.indexOf(`\n</untrusted-data ${opening[1]}>`, from)
  return message.slice(from, to < 0 ? undefined : to)
}

/** Whole words only, unless the first one is longer than that. */
function firstChars(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(0, most + 1).search(/\s\S*$/)
  return text
    .slice(0, end > 0 ? end : most)
    .trimEnd()
    .toWellFormed()
}
