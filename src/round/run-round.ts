import { draftEvent } from '../contract/event.ts'
import type { MessageInput } from '../contract/input.ts'
import { textOf } from '../contract/message.ts'
import type { FinishReason } from '../contract/outcome.ts'
import {
  answerLost,
  close,
  lostAsk,
  nextStep,
  openExchanges,
  overdueResult,
  phaseChanges,
  roundEnded,
  startOfRound,
  takeOver,
  type Round,
  type Step,
} from '../session/index.ts'
import type { Blob, Claim } from '../store/index.ts'
import type { Mailbox } from './mailbox.ts'
import type { OwnedSession } from './owned-session.ts'
import { performRerun, performVerify } from './perform-again.ts'
import { performDispatch } from './perform-dispatch.ts'
import { performTurn } from './perform-turn.ts'
import { prepareTurn, type PreparedTurn } from './prepare-turn.ts'
import { notWithin, overBudgetWords } from './reserve.ts'
import { checkMayAct, Stopping, isStopping } from './stopping.ts'
import { isUsualTitle } from './title.ts'
import { roundOf, workOfStep, type Work } from './work.ts'

/** Stores a message with the start of its round and first turn, or nothing if its claim was already `taken`. */
export async function startRound(
  work: Work,
  message: MessageInput,
  files: readonly Blob[],
  claim: Claim | undefined,
): Promise<{ turn?: PreparedTurn; taken?: Claim }> {
  const { session, deps } = work
  session.append(...lostAsk(session.state.asking), ...startOfRound(message, session.state))
  for (const file of files) session.addBlob(file)
  const step = nextStep(roundOf(work), deps.clock.now(), session.passed)
  const prepared = step.kind === 'call-model' ? await prepareTurn(step, work) : undefined
  // A summary is made once the message is stored.
  const turn = prepared && 'due' in prepared ? undefined : prepared
  const { isRefused, events, reserving } = turn?.intent ?? { events: [], reserving: [] }
  session.append(...events)
  const refused = await session.storeStart(claim, reserving)
  if (refused?.kind === 'repeated') return { taken: refused.claim }
  if (refused) session.append(notWithin(refused))
  return turn && !isRefused && !refused ? { turn } : {}
}

/** Takes over a round that another owner left running, or gives it up, in one commit before any step. */
export async function takeOverRound(session: OwnedSession, mailbox: Mailbox, stopping: AbortSignal): Promise<void> {
  const waited = mailbox.all
  session.append(...takeOver(session.state.round, session.evictedAt))
  mailbox.fold()
  session.append(...answerLost(session.state.round), ...lostAsk(session.state.asking))
  // A model call that starts again reserves again, which may exceed the budget by now.
  const over = await session.flushWithin(stopping)
  if (!over) return
  mailbox.restore(waited)
  const text = `(Stopped. ${overBudgetWords(over, 'The answer').message})`
  session.append(...close(session.state.round, 'budget', { text }))
  await session.flush(stopping)
}

/**
 * Runs a round from the state of its log to its end, or to a rest (then false), without memory between two steps. `begun`
 * is the first turn, if it was prepared with the start of the round.
 */
export async function runRound(work: Work, begun?: PreparedTurn): Promise<boolean> {
  const { session, mailbox, deps, signal } = work
  for (let turn = begun; ; turn = undefined) {
    mailbox.fold()
    const { round } = session.state
    if (!round) {
      await session.flush(signal)
      return true
    }
    const step = nextStep(round, deps.clock.now(), session.passed)
    const goesOn = !['wait', 'rest', 'give-up'].includes(step.kind)
    if (round.rest !== null && goesOn) {
      session.append(draftEvent('round.resumed', { n: 0, turn: round.turn + 1, reason: 'decided' }))
    }
    if (step.kind === 'wait' || step.kind === 'pause' || step.kind === 'rest') {
      noteRest(step, round, session, deps.clock.now())
      session.look(mailbox.all)
      await session.flush(signal)
      if (!mailbox.fold()) return false
      continue
    }
    await perform(step, work, turn)
  }
}

async function perform(step: Exclude<Step, RestStep>, work: Work, begun: PreparedTurn | undefined): Promise<void> {
  const { session } = work
  const round = roundOf(work)
  if (isStopping(work.signal)) throw new Stopping('stopping')
  checkMayAct(work.deps)
  switch (step.kind) {
    case 'call-model':
      return performTurn(step, work, begun)
    case 'dispatch':
      return performDispatch(step.calls, await workOfStep(work))
    case 'rerun':
      return performRerun(step.call, await workOfStep(work))
    case 'verify':
      return performVerify(step.call, await workOfStep(work))
    case 'expire':
      for (const call of step.calls) {
        const { callId, approval, state } = call
        if (state === 'submitted') session.append(overdueResult(call))
        else if (approval) {
          const { approvalId } = approval
          session.append(draftEvent('approval.decided', { approvalId, callId, decision: 'expired', by: 'system' }))
        }
      }
      return
    case 'finish':
      session.append(...phaseChanges(round, 'answer'))
      session.append(roundEnded(round, step.finishReason, round.answer?.misfit))
      deferTitle(work)
      return
    case 'give-up':
      session.append(
        ...lostAsk(session.state.asking),
        ...close(round, step.finishReason, { text: closingText(round, step.finishReason), ...errorOf(step, round) }),
      )
      return
  }
}

/** The first answer is stored with the job to find a title. */
function deferTitle({ session, deps }: Work): void {
  const { title, history } = session.state
  const [only, ...more] = openExchanges(history)
  if (deps.settings.titleModel === undefined || !deps.mayAsk() || more.length > 0 || history.forgotten > 0) return
  if (only?.user && isUsualTitle(title, textOf(only.user.parts)))
    session.enqueue({ kind: 'title', payload: { sessionId: session.id } })
}

type RestStep = Extract<Step, { kind: 'wait' | 'pause' | 'rest' }>

function noteRest(step: RestStep, round: Round, session: OwnedSession, now: number): void {
  // When the awaited time is over, it may still have to wait for something else.
  const isOver = round.waitsUntil !== null && round.waitsUntil <= now
  if (step.kind === 'wait' && (round.rest !== 'waiting' || isOver)) {
    session.append(draftEvent('round.waiting', { for: step.for, callIds: [...step.callIds], until: step.until }))
  }
  if (step.kind === 'pause') {
    session.append(...phaseChanges(round, 'rest'))
    const nextPhaseIndex = round.started.protocol === 'triggered' ? round.phaseIndex + 1 : null
    session.append(draftEvent('round.paused', { nextPhaseIndex }))
  }
}

function closingText(round: Round, finishReason: FinishReason): string {
  switch (finishReason) {
    case 'cancelled':
      return round.cancelled === 'interrupt' ? '(Stopped for a new message.)' : '(Stopped on request.)'
    case 'timeout':
      return '(Stopped: this took longer than it may.)'
    case 'budget':
      return `(Stopped. ${round.notices.at(-1) ?? 'The budget is used up.'})`
    default:
      return `(This could not be finished. ${round.notices.at(-1) ?? ''})`.replace(' )', ')')
  }
}

/** The last notice has the error. */
function errorOf({ finishReason }: Extract<Step, { kind: 'give-up' }>, round: Round): { error?: string } {
  const error = round.notices.at(-1)
  return finishReason === 'error' && error !== undefined ? { error } : {}
}
