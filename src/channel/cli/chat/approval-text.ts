import type { ShownApproval } from '../../../contract/views.ts'
import type { Wire } from '../wire.ts'
import { cutTo } from './columns.ts'
import type { Tint } from './paint.ts'
import { oneLine } from './safe-text.ts'

/** An approval as the API shows it. */
export type Asked = Omit<Wire<ShownApproval>, 'target' | 'status' | 'requestedAt'>

type Line = readonly [text: string, tint?: Tint]

/** What a person decides about: all of it, and why they are asked. */
export function approvalLines({ tool, reason, display, isQuestion }: Asked): Line[] {
  const careful = display.warnings.map((warning): Line => [`  careful    ${warning}`, 'careful'])
  if (isQuestion) return [[`? ${tool} asks: ${display.target}`, 'bold'], ...careful]
  return [
    [`? ${tool} wants to run: ${display.target}`, 'bold'],
    [`  because    ${reason}`],
    [`  arguments  ${display.args.replaceAll('\n', '\n             ')}`],
    ...careful,
    ...(display.remembers === undefined ? [] : [[`  session    [s] covers ${display.remembers}`] as const]),
  ]
}

const EFFECTS: Readonly<Record<string, string>> = {
  pure: 'none: it only reads',
  keyed: 'it does something; done twice it counts once',
  verifiable: 'it does something, and can be asked whether it did',
  unsafe: 'it does something that cannot be taken back',
}

/** What else is known about it. */
export function detailsText(asked: Asked, effect: string | undefined): string {
  const { id, callId, sessionId, requestId, expiresAt, reason } = asked
  return [
    `  reason     ${reason}`,
    ...(effect === undefined ? [] : [`  effect     ${EFFECTS[effect] ?? effect}`]),
    `  waits      until ${new Date(expiresAt).toLocaleString('en-GB')}; then it is denied`,
    `  session    ${sessionId}`,
    `  round      ${requestId}`,
    `  call       ${callId}`,
    `  approval   ${id}`,
  ].join('\n')
}

export type Choice = 'approve' | 'deny' | 'session' | 'details'
const CHOICES = new Map<string, Choice>([
  ['y', 'approve'],
  ['n', 'deny'],
  ['s', 'session'],
  ['d', 'details'],
])

/** What a key means while somebody is asked. Enter means nothing. */
export function choiceOf(text: string, { rememberable }: Asked): Choice | undefined {
  const choice = CHOICES.get(text.toLowerCase())
  return choice === 'session' && !rememberable ? undefined : choice
}

/** What it is about is said again: on a small screen the beginning may be out of sight. */
export function choicesText({ tool, display, rememberable, isQuestion }: Asked): string {
  const about = cutTo(oneLine(isQuestion ? tool : `${tool} ${display.target}`), LONGEST_ABOUT)
  const session = rememberable ? '  [s] yes, for this session' : ''
  return `${isQuestion ? 'Answer?' : 'Allow?'}  ${about}\n[y] yes  [n] no${session}  [d] details`
}

const LONGEST_ABOUT = 60
