const FROM_SEGNO = /^\[From Segno, [^\n]*\]\s*/
const OPENING = /^<untrusted-data (\w{1,64})>\n/

/** What the user said in a text, without what Segno put before it; undefined if it is all from Segno. */
export function ownWords(text: string): string | undefined {
  let rest = text
  for (;;) {
    const shorter = withoutFirst(rest)
    if (shorter === rest) return rest
    if (shorter === '') return undefined
    rest = shorter
  }
}

/** Some providers join a summary, a line of Segno and the user's words in one text. */
function withoutFirst(text: string): string {
  const line = FROM_SEGNO.exec(text)
  if (line) return text.slice(line[0].length)
  const tag = OPENING.exec(text)?.[1]
  if (tag === undefined) return text
  const closing = text.indexOf(`\n</untrusted-data ${tag}>`)
  const end = closing < 0 ? -1 : text.indexOf('\n\n', closing)
  return end < 0 ? text : text.slice(end + 2)
}
