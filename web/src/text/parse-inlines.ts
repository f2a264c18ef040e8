import { delimiterAt, pairDelimiters, type Delimiter } from './emphasis.ts'
import { entityAt } from './entities.ts'
import { angledAddressAt, bareAddressAt, isPunctuation, targetAt } from './link-syntax.ts'
import { plainText, type Inline } from './markdown-tree.ts'
import { isBlank, trimEndSpaces, trimSpaces } from './spaces.ts'

type Bracket = { place: number; image: boolean; active: boolean }
type Scan = {
  text: string
  at: number
  /** In a cell of a table `<br>` is the only way to begin a new line. */
  inCell: boolean
  drafts: (Inline | Delimiter)[]
  brackets: Bracket[]
  backticks?: Map<number, number[]>
}

const MOST_BRACKETS = 32
const SPECIAL = /[\\`*_~[\]!<&\n]|https?:\/\/|www\./gi
const CELL_BREAK = /<br ?\/?>/iy

/** The inlines of a paragraph, a heading or a cell. Linear in the length of the text, whatever it is. */
export function parseInlines(text: string, inCell = false): Inline[] {
  const scan: Scan = { text: trimSpaces(text), at: 0, inCell, drafts: [], brackets: [] }
  while (scan.at < scan.text.length) {
    SPECIAL.lastIndex = scan.at
    const special = SPECIAL.exec(scan.text)
    const end = special?.index ?? scan.text.length
    if (end > scan.at) take(scan, scan.text.slice(scan.at, end), end)
    if (special !== null) readSpecial(scan, special[0])
  }
  return pairDelimiters(scan.drafts)
}

function take(scan: Scan, text: string, end: number): void {
  scan.drafts.push({ type: 'text', text })
  scan.at = end
}

function readSpecial(scan: Scan, special: string): void {
  switch (special) {
    case '\\':
      return readBackslash(scan)
    case '`':
      return readCode(scan)
    case '*':
    case '_':
    case '~':
      return readDelimiter(scan)
    case '[':
      return openBracket(scan, false)
    case '!':
      if (scan.text[scan.at + 1] === '[') return openBracket(scan, true)
      return take(scan, '!', scan.at + 1)
    case ']':
      return closeBracket(scan)
    case '<':
      return readAngle(scan)
    case '&': {
      const entity = entityAt(scan.text, scan.at)
      return take(scan, entity?.text ?? '&', entity?.end ?? scan.at + 1)
    }
    case '\n':
      return readNewline(scan)
    default: {
      const address = bareAddressAt(scan.text, scan.at, scan.brackets.length > 0)
      if (address === undefined) take(scan, special, scan.at + special.length)
      else link(scan, address)
    }
  }
}

function readBackslash(scan: Scan): void {
  const next = scan.text[scan.at + 1]
  if (next === '\n') {
    scan.drafts.push({ type: 'break' })
    scan.at += 2
  } else if (isPunctuation(next)) take(scan, next ?? '', scan.at + 2)
  else take(scan, '\\', scan.at + 1)
}

function readNewline(scan: Scan): void {
  const last = scan.drafts.at(-1)
  scan.at++
  if (last?.type !== 'text') {
    scan.drafts.push({ type: 'text', text: '\n' })
    return
  }
  const hard = last.text.endsWith('  ')
  scan.drafts[scan.drafts.length - 1] = { type: 'text', text: trimEndSpaces(last.text) }
  scan.drafts.push(hard ? { type: 'break' } : { type: 'text', text: '\n' })
}

function readDelimiter(scan: Scan): void {
  const { run, delimiter } = delimiterAt(scan.text, scan.at)
  if (delimiter === undefined) return take(scan, run, scan.at + run.length)
  scan.drafts.push(delimiter)
  scan.at += run.length
}

function readCode(scan: Scan): void {
  let length = 0
  while (scan.text[scan.at + length] === '`') length++
  const start = scan.at + length
  const end = closingBackticks(scan, start, length)
  if (end === undefined) return take(scan, '`'.repeat(length), start)
  let text = scan.text.slice(start, end).replaceAll('\n', ' ')
  if (text.startsWith(' ') && text.endsWith(' ') && !isBlank(text)) text = text.slice(1, -1)
  scan.drafts.push({ type: 'code-span', text })
  scan.at = end + length
}

/** The next run of as many backticks. All runs are found once, so that many open ones stay cheap. */
function closingBackticks(scan: Scan, from: number, length: number): number | undefined {
  scan.backticks ??= backtickRuns(scan.text)
  const starts = scan.backticks.get(length) ?? []
  while ((starts.at(-1) ?? from) < from) starts.pop()
  return starts.at(-1)
}

/** The places of all runs of backticks by their length, the first one last. */
function backtickRuns(text: string): Map<number, number[]> {
  const runs = new Map<number, number[]>()
  for (const match of text.matchAll(/`+/g)) {
    const starts = runs.get(match[0].length) ?? []
    starts.push(match.index)
    runs.set(match[0].length, starts)
  }
  for (const starts of runs.values()) starts.reverse()
  return runs
}

function readAngle(scan: Scan): void {
  CELL_BREAK.lastIndex = scan.at
  const cellBreak = scan.inCell ? CELL_BREAK.exec(scan.text) : null
  if (cellBreak !== null) {
    scan.drafts.push({ type: 'break' })
    scan.at += cellBreak[0].length
    return
  }
  const address = angledAddressAt(scan.text, scan.at)
  if (address === undefined) take(scan, '<', scan.at + 1)
  else link(scan, address)
}

function link(scan: Scan, address: { text: string; target: string; end: number }): void {
  const children: Inline[] = [{ type: 'text', text: address.text }]
  scan.drafts.push({ type: 'link', target: address.target, title: '', children })
  scan.at = address.end
}

function openBracket(scan: Scan, image: boolean): void {
  if (scan.brackets.length === MOST_BRACKETS) scan.brackets.shift()
  scan.brackets.push({ place: scan.drafts.length, image, active: true })
  take(scan, image ? '![' : '[', scan.at + (image ? 2 : 1))
}

function closeBracket(scan: Scan): void {
  const bracket = scan.brackets.pop()
  const target = bracket?.active === true ? targetAt(scan.text, scan.at + 1) : undefined
  if (bracket === undefined || target === undefined) return take(scan, ']', scan.at + 1)
  const children = pairDelimiters(scan.drafts.splice(bracket.place).slice(1))
  const { target: address, title } = target
  scan.at = target.end
  if (bracket.image) {
    scan.drafts.push({ type: 'image', target: address, title, alt: plainText(children) })
    return
  }
  scan.drafts.push({ type: 'link', target: address, title, children: withoutLinks(children) })
  // A link holds no other link: the brackets around this one can only be text.
  for (const around of scan.brackets) if (!around.image) around.active = false
}

/** Addresses written into the text of a link are just its text. */
function withoutLinks(inlines: Inline[]): Inline[] {
  return inlines.flatMap((one) => {
    if (one.type === 'link') return one.children
    return 'children' in one ? [{ ...one, children: withoutLinks(one.children) }] : [one]
  })
}
