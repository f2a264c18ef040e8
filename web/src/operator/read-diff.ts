/** One field of a definition that changed: what is trusted and what is offered, and which part of it differs. */
interface Change {
  readonly field: string
  readonly before?: Cut
  readonly after?: Cut
}

/** A text cut around the part that differs. */
export interface Cut {
  readonly same: string
  readonly differs: string
  readonly rest: string
}

const LINE = /^([-+]) (.*?): (.*)$/s

/** Reads the lines the server writes: `- field: old`, `+ field: new`. A line of another form is kept whole. */
export function readDiff(diff: string): Change[] {
  const lines = diff.split('\n').filter((line) => line !== '')
  const changes: Change[] = []
  for (let i = 0; i < lines.length; i += 1) {
    const [sign, field, text] = readLine(lines[i] ?? '')
    const [nextSign, nextField, next] = readLine(lines[i + 1] ?? '')
    if (sign === '-' && nextSign === '+' && nextField === field) {
      changes.push({ field, ...cut(text, next) })
      i += 1
    } else changes.push({ field, [sign === '-' ? 'before' : 'after']: { same: '', differs: text, rest: '' } })
  }
  return changes
}

function readLine(line: string): [sign: string, field: string, text: string] {
  const [, sign = '+', field = '', text = line] = LINE.exec(line) ?? []
  return [sign, field, text]
}

/** What two texts have in common at their beginning and at their end. */
export function cut(before: string, after: string): { before: Cut; after: Cut } {
  const was = Array.from(before)
  const is = Array.from(after)
  const shorter = Math.min(was.length, is.length)
  let start = 0
  while (start < shorter && was[start] === is[start]) start += 1
  let end = 0
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1
  const part = (all: readonly string[]): Cut => ({
    same: all.slice(0, start).join(''),
    differs: all.slice(start, all.length - end).join(''),
    rest: all.slice(all.length - end).join(''),
  })
  return { before: part(was), after: part(is) }
}
