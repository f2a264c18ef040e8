import type { JsonObject } from '../../../src/contract/message.ts'
import type { CallApproval, CallResult, CallStep, TurnStep } from '../log/round-picture.ts'
import type { IconName } from '../parts/icon.tsx'
import { clock, duration, money, OUTCOMES } from '../parts/format.ts'

const SHORT_CHARS = 120

/** The arguments of a call on a part of a line. */
export function shortArgs(args: JsonObject): string {
  const entries = Object.entries(args)
  const [first] = entries
  const text =
    entries.length === 1 && first && typeof first[1] === 'string'
      ? first[1]
      : entries
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', ')
  const line = text
    .slice(0, SHORT_CHARS * 2)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > SHORT_CHARS ? `${line.slice(0, SHORT_CHARS)}…` : line
}

export interface CallState {
  readonly icon: IconName | 'spinner'
  readonly words: string
  readonly tone: '' | 'ok' | 'warn' | 'danger' | 'muted'
}

/** How a call stands, in words and with a picture; never by colour alone. */
export function stateOf(call: CallStep, isOpen: boolean): CallState {
  const { result, approval, startedAt, submittedAt } = call
  if (isInDoubt(call)) return { icon: 'warn', words: 'unknown', tone: 'danger' }
  if (result) return { icon: ICONS[result.outcome], words: resultWords(result), tone: TONES[result.outcome] }
  if (approval?.status === 'pending' && isOpen)
    return { icon: 'question', words: approval.isQuestion ? 'asks you something' : 'asks for approval', tone: 'warn' }
  if (!isOpen) return { icon: 'stop', words: 'not run', tone: 'muted' }
  if (submittedAt !== undefined) return { icon: 'clock', words: 'waits for its result', tone: 'muted' }
  return startedAt === undefined
    ? { icon: 'clock', words: 'waits', tone: 'muted' }
    : { icon: 'spinner', words: 'runs', tone: 'muted' }
}

const ICONS = {
  ok: 'check',
  error: 'cross',
  refused: 'shield',
  denied: 'cross',
  cancelled: 'stop',
  timeout: 'clock',
  unknown: 'warn',
} as const
const TONES = {
  ok: 'ok',
  error: 'danger',
  refused: 'warn',
  denied: 'warn',
  cancelled: 'muted',
  timeout: 'danger',
  unknown: 'danger',
} as const

function resultWords({ outcome, code }: CallResult): string {
  if (outcome === 'refused' && code === 'DUPLICATE') return 'refused: a duplicate'
  if (code === 'EXPIRED') return 'denied: nobody answered in time'
  return OUTCOMES[outcome]
}

/** Nobody knows whether it happened, and nobody has said. */
export const isInDoubt = ({ result, reconciled }: CallStep): boolean => result?.effect === 'unknown' && !reconciled

/** How long it took and what it cost, as far as there is something to say. */
export function numbersOf({ result }: CallStep): string[] {
  if (!result) return []
  const ran = result.outcome !== 'refused' && result.outcome !== 'denied'
  return [...(ran ? [duration(result.durationMs)] : []), ...(result.cost > 0 ? [money(result.cost)] : [])]
}

const WHY: Readonly<Record<string, string>> = {
  INVALID: 'The arguments do not fit what the tool takes. The model was told what is wrong with them.',
  UNKNOWN_TOOL: 'There is no such tool.',
  DUPLICATE: 'The same call was made before in this round. It is not done twice; the model was told so.',
  PERMISSION: 'You may not use this tool.',
  FOLDER:
    'The folder of this workspace is not there, or tools may not touch it: choose another one, or let who runs Segno list it in SEGNO_FOLDER_ROOTS.',
  POLICY: 'The policy of this Segno does not allow it.',
  BUDGET_EXCEEDED: 'The budget of the day is used up.',
  COST_ESTIMATE_FAILED: 'What it would cost could not be estimated, so it was not run.',
  QUOTA: 'This tool was called too often.',
  LIMIT: 'The round had used up its calls.',
  MODE: 'In plan mode only tools without effects are used.',
  EXPIRED: 'Nobody answered in time, which counts as no.',
  UNATTENDED: 'Nobody could be asked, which counts as no.',
  OUTPUT_LIMIT: 'It put out more than is taken.',
}

export const whyOf = (code: string | undefined): string | undefined => (code === undefined ? undefined : WHY[code])

/** What was asked of a person about a call, and what came of it. */
export function askedWords({ status, requestedAt, decidedAt, by, reason }: CallApproval): string {
  const asked = `Asked at ${clock(requestedAt)}: ${reason}.`
  if (status === 'pending' || decidedAt === undefined) return asked
  const after = duration(decidedAt - requestedAt)
  if (status === 'expired') return `${asked} Nobody answered within ${after}.`
  if (status === 'stale') return `${asked} It was no longer needed after ${after}.`
  return `${asked} ${status === 'approve' ? 'Approved' : 'Denied'}${by ? ` by ${by}` : ''} after ${after}.`
}

/** How long a turn thought is known only roughly: it is how long the turn took. */
export function thoughtWords({ startedAt, endedAt }: TurnStep): string {
  return endedAt === undefined || endedAt - startedAt < 1000
    ? 'Thought for a moment'
    : `Thought for ${Math.round((endedAt - startedAt) / 1000)} s`
}
