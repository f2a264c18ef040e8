import type { Approval } from '../../../client/index.ts'
import { cutTo } from './columns.ts'
import type { Paint, Tint } from './paint.ts'
import { oneLine } from './safe-text.ts'
import { shownLines } from './shown-lines.ts'
import { wrapped } from './wrap.ts'

export type Asked = Omit<Approval, 'target' | 'status' | 'requestedAt'>

export interface View {
  readonly width: number
  readonly paint: Paint
  /** the rows there is room for */
  readonly most?: number
  /** what the call would do was written above and is left out here */
  readonly isAbove?: boolean
  /** for a list, where no key can be pressed */
  readonly isListed?: boolean
  /** such as "2 of 3" */
  readonly place?: string | undefined
}

/** What the person decides about and why, as far as there is room. */
export function askedLines(asked: Asked, { width, paint, most = Infinity, isAbove, isListed, place }: View): string[] {
  const { display, isQuestion, reason } = asked
  const { shown, isDangerous, warnings, remembers } = display
  const line = (label: string, text: string, tint?: Tint): string[] => labelled(label, text, width, paint, tint)
  const head = isDangerous
    ? line('! ', [place, 'DANGER', headWords(asked)].filter(Boolean).join(' · '), 'danger')
    : line('? ', [place, headWords(asked)].filter(Boolean).join(' · '), 'bold')
  const careful = warnings.flatMap((warning) => line('  careful    ', warning, 'careful'))
  if (isQuestion) return cutOff([...head, ...careful], most, width, paint)
  const dangers = shown.kind === 'command' ? shown.dangers : []
  const tail = [
    ...dangers.flatMap(({ from, to, why }) => {
      const part = cutTo(oneLine(shown.kind === 'command' ? shown.text.slice(from, to) : ''), LONGEST_PART)
      return line('  danger     ', `${part}: ${why}`, 'danger')
    }),
    ...careful,
    ...(shown.note === undefined ? [] : line('  note       ', shown.note, 'careful')),
    ...line('  because    ', reason),
    ...(remembers === undefined || isListed ? [] : line('  [s]        ', `covers ${remembers}`)),
  ]
  if (isAbove) return cutOff([...head, paint('dim', '  … all of it stands above'), ...tail], most, width, paint)
  const room = Math.max(most - head.length - tail.length, LEAST_ROWS)
  const whole = shownLines(shown, width, paint, room)
  const body = whole.hidden === 0 ? whole : shownLines(shown, width, paint, room - 1)
  const more = body.hidden === 0 ? [] : [moreWords(body.hidden, width, paint)]
  return cutOff([...head, ...body.rows, ...more, ...tail], most, width, paint)
}

const LONGEST_PART = 30
const LEAST_ROWS = 3

function headWords({ tool, display: { shown, target }, isQuestion }: Asked): string {
  if (isQuestion) return `${tool} asks: ${target}`
  if (shown.kind === 'file') return `${tool} wants to ${shown.diff === undefined ? 'write' : 'change'}: ${shown.path}`
  if (shown.kind === 'command') return `${tool} wants to run:`
  return target.startsWith('{') ? `${tool} wants to run with:` : `${tool} wants to run: ${target}`
}

export function labelled(label: string, text: string, width: number, paint: Paint, tint?: Tint): string[] {
  const others = ' '.repeat(Math.min(label.length, Math.floor(width / 2)))
  const draw = (part: string): string => (tint ? paint(tint, part) : part)
  return wrapped(oneLine(text), () => width, label, others, draw).split('\n')
}

/** Cuts off the end if necessary, and says so. */
export function cutOff(lines: readonly string[], most: number, width: number, paint: Paint, how?: string): string[] {
  return lines.length <= most
    ? [...lines]
    : [...lines.slice(0, Math.max(most - 1, 0)), moreWords(lines.length - most + 1, width, paint, how)]
}

const moreWords = (count: number, width: number, paint: Paint, how = ' (v shows all)'): string =>
  paint('careful', cutTo(`  … ${count} more ${count === 1 ? 'line' : 'lines'}${how}`, width))

const EFFECTS: Readonly<Record<string, string>> = {
  pure: 'none: it only reads',
  keyed: 'it does something; done twice it counts once',
  verifiable: 'it does something, and can be asked whether it did',
  unsafe: 'it does something that cannot be taken back',
}

export function detailsText(asked: Asked, effect: string | undefined): string {
  const { id, callId, sessionId, requestId, expiresAt, display } = asked
  return [
    `  arguments  ${display.args.replaceAll('\n', '\n             ')}`,
    ...(effect === undefined ? [] : [`  effect     ${EFFECTS[effect] ?? effect}`]),
    `  waits      until ${new Date(expiresAt).toLocaleString('en-GB')}; then it is denied`,
    `  chat       ${sessionId}`,
    `  round      ${requestId}`,
    `  call       ${callId}`,
    `  approval   ${id}`,
  ].join('\n')
}

export type Choice = 'approve' | 'deny' | 'session' | 'details' | 'all' | 'whole'
const CHOICES = new Map<string, Choice>([
  ['y', 'approve'],
  ['n', 'deny'],
  ['s', 'session'],
  ['d', 'details'],
  ['a', 'all'],
  ['v', 'whole'],
])

/** Enter means nothing. */
export function choiceOf(text: string, { rememberable }: Asked): Choice | undefined {
  const choice = CHOICES.get(text.toLowerCase())
  return choice === 'session' && !rememberable ? undefined : choice
}

type About = Pick<Approval, 'tool' | 'target'>

export const aboutWords = ({ tool, target }: About, columns: number): string =>
  cutTo(oneLine(`${tool} ${target}`), columns)

/** Repeats what it is about, because on a small screen the beginning may be out of sight. */
export function choicesText({ tool, display, rememberable, isQuestion }: Asked, several = 0): string {
  const about = aboutWords({ tool, target: isQuestion ? '' : display.target }, LONGEST_ABOUT)
  const session = rememberable ? '  [s] yes, for this conversation' : ''
  const all = several > 1 ? `  [a] all ${several}` : ''
  const ask = isQuestion ? 'Answer?' : display.isDangerous ? 'Danger. Allow?' : 'Allow?'
  return `${ask}  ${about}\n[y] yes  [n] no${session}${all}  [d] details, raw arguments`
}

const LONGEST_ABOUT = 60

export function waitingWords([first, ...others]: readonly About[]): string {
  if (!first) return 'The question'
  return `${aboutWords(first, LONGEST_ABOUT)}${others.length === 0 ? '' : ` and ${others.length} more`}`
}
