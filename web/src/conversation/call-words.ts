import type { JsonObject } from '../../../src/contract/message.ts'
import type { CallApproval, CallResult, CallStep, TurnStep } from '../log/round-picture.ts'
import type { IconName } from '../parts/icon.tsx'
import { clock, duration, money, oneLine, OUTCOMES, timeOf } from '../parts/format.ts'

/** The arguments of a call, short enough for one line. */
export function shortArgs(args: JsonObject): string {
  const entries = Object.entries(args)
  const [first] = entries
  const text =
    entries.length === 1 && first && typeof first[1] === 'string'
      ? first[1]
      : entries
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(', ')
  return oneLine(text)
}

export interface CallState {
  readonly icon: IconName | 'spinner'
  readonly words: string
  readonly tone: '' | 'ok' | 'warn' | 'danger' | 'muted'
}

/** The state of a call in words, with an icon and a colour. */
export function stateOf(call: CallStep, isOpen: boolean): CallState {
  const { result, approval, startedAt, submitted, reconciled } = call
  if (isInDoubt(call)) return { icon: 'warn', words: 'unknown', tone: 'danger' }
  if (result && reconciled?.late) {
    const { icon, tone } = LOOKS[reconciled.happened ? 'ok' : 'error']
    return { icon, tone, words: `${resultWords(result)}; later: it ${reconciled.happened ? 'happened' : 'failed'}` }
  }
  if (result) return { ...LOOKS[result.outcome], words: resultWords(result) }
  if (approval?.status === 'pending' && isOpen)
    return { icon: 'question', words: approval.isQuestion ? 'asks you something' : 'asks for approval', tone: 'warn' }
  if (!isOpen) return { icon: 'stop', words: 'not run', tone: 'muted' }
  if (submitted) return { icon: 'clock', words: `waits since ${timeOf(submitted.at)}`, tone: 'muted' }
  return startedAt === undefined
    ? { icon: 'clock', words: 'waits', tone: 'muted' }
    : { icon: 'spinner', words: 'runs', tone: 'muted' }
}

const LOOKS = {
  ok: { icon: 'check', tone: 'ok' },
  error: { icon: 'cross', tone: 'danger' },
  refused: { icon: 'shield', tone: 'warn' },
  denied: { icon: 'cross', tone: 'warn' },
  cancelled: { icon: 'stop', tone: 'muted' },
  timeout: { icon: 'clock', tone: 'danger' },
  unknown: { icon: 'warn', tone: 'danger' },
} as const

function resultWords({ outcome, code }: CallResult): string {
  if (outcome === 'refused' && code === 'DUPLICATE') return 'refused: a duplicate'
  if (code === 'EXPIRED') return 'denied: nobody answered in time'
  return OUTCOMES[outcome]
}

/** Its effect is unknown, and no person has said what happened. */
export const isInDoubt = ({ result, reconciled }: CallStep): boolean => result?.effect === 'unknown' && !reconciled

/** How long it took and what it cost, if known. */
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
    'The folder of this workspace is not there, or tools may not touch it: choose another one, or ask whoever runs Segno to list it in SEGNO_FOLDER_ROOTS.',
  POLICY: 'The policy does not allow it.',
  BUDGET_EXCEEDED: 'The budget of the day is used up.',
  COST_ESTIMATE_FAILED: 'What it would cost could not be estimated, so it was not run.',
  QUOTA: 'This tool was called too often.',
  LIMIT: 'The round had used up its calls.',
  MODE: 'In plan mode only tools without effects are used.',
  EXPIRED: 'Nobody answered in time, which counts as no.',
  UNATTENDED: 'Nobody could be asked, which counts as no.',
  OUTPUT_LIMIT: 'Its output was longer than allowed.',
}

/** Whose result comes later: a workflow by its own name, anything else by its tool's. */
export function laterName({ name, submitted }: CallStep): string {
  if (submitted?.kind === 'task') return `the task of ${name}`
  return submitted?.kind === undefined ? name : `workflow ${name.replace(/^workflow_/, '')}`
}

/** Since when the result of a call is waited for, and until when. */
export const sinceWords = ({ at, until }: NonNullable<CallStep['submitted']>): string =>
  `since ${timeOf(at)} (until ${timeOf(until)})`

/** Why a call was refused, in words; a code that this page does not know yet stays as it is. */
export const whyOf = (code: string): string => WHY[code] ?? code

/** What was asked of a person about a call, and what came of it. */
export function askedWords({ status, requestedAt, decidedAt, by, reason }: CallApproval): string {
  const asked = `Asked at ${clock(requestedAt)}: ${reason}.`
  if (status === 'pending' || decidedAt === undefined) return asked
  const after = duration(decidedAt - requestedAt)
  if (status === 'expired') return `${asked} Nobody answered within ${after}.`
  if (status === 'stale') return `${asked} It was no longer needed after ${after}.`
  return `${asked} ${status === 'approve' ? 'Approved' : 'Denied'}${by ? ` by ${by}` : ''} after ${after}.`
}

/** Thinking is not timed on its own: this is how long the whole turn took. */
export function thoughtWords({ startedAt, endedAt }: TurnStep): string {
  return endedAt === undefined || endedAt - startedAt < 1000
    ? 'Thought for a moment'
    : `Thought for ${Math.round((endedAt - startedAt) / 1000)} s`
}
