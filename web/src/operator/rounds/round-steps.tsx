import { numbersOf, stateOf, whyOf } from '../../conversation/call-words.ts'
import type { CallStep, RoundPicture, Step, TurnStep } from '../../log/round-picture.ts'
import { duration, money, STOPPED, tokens } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { VisibleText } from '../../text/visible-text.tsx'
import { State } from '../parts.tsx'

/** Turns and calls of a round in the order in which they began, one line each. */
export function RoundSteps({ round }: { round: RoundPicture }) {
  // What it failed with is shown above, and stored as a notice too.
  const steps = round.steps.filter((step) => step.kind !== 'notice' || step.text !== round.finish?.error)
  if (steps.length === 0) return <p className="muted">Nothing was done in it.</p>
  return (
    <ol className="op-steps">
      {steps.map((step) => (
        <li key={`${step.kind} ${step.seq}`}>
          <StepLine step={step} isOpen={round.state !== 'ended'} />
        </li>
      ))}
    </ol>
  )
}

function StepLine({ step, isOpen }: { step: Step; isOpen: boolean }) {
  if (step.kind === 'turn') return <TurnLine step={step} />
  if (step.kind === 'call') return <CallLine step={step} isOpen={isOpen} />
  return (
    <span className="op-step muted">
      <Icon name={step.kind === 'summary' ? 'shorten' : 'warn'} />
      <VisibleText text={step.kind === 'summary' ? 'earlier messages were summarised' : step.text} />
    </span>
  )
}

function TurnLine({ step: { turn, model, startedAt, endedAt, stopReason, usage, cost, retries } }: { step: TurnStep }) {
  return (
    <span className="op-step">
      <Icon name="chart" />
      <strong>turn {turn}</strong>
      <VisibleText text={model} />
      <span>{stopReason === undefined ? 'not finished' : STOPPED[stopReason]}</span>
      {endedAt !== undefined && <span className="muted">{duration(endedAt - startedAt)}</span>}
      {usage && <span className="muted">{tokens(usage)}</span>}
      {cost !== undefined && <span className="muted">{money(cost, usage?.unpriced)}</span>}
      {retries.map(({ at, reason, waitMs }) => (
        <span key={at} className="op-retry warn">
          tried again after {duration(waitMs)}: <VisibleText text={reason} />
        </span>
      ))}
    </span>
  )
}

function CallLine({ step, isOpen }: { step: CallStep; isOpen: boolean }) {
  const { name, result, approval, reconciled } = step
  const { icon, words, tone } = stateOf(step, isOpen)
  return (
    <span className="op-step">
      <Icon name="tool" />
      <VisibleText as="strong" text={name} />
      <State icon={icon === 'spinner' ? 'clock' : icon} tone={tone}>
        {words}
      </State>
      {result?.code !== undefined && <span className="muted">{whyOf(result.code)}</span>}
      {numbersOf(step).map((number) => (
        <span key={number} className="muted">
          {number}
        </span>
      ))}
      {approval?.by !== undefined && (
        <span className="muted">
          {approval.status === 'approve' ? 'approved' : 'decided'} by <VisibleText text={approval.by} />
        </span>
      )}
      {reconciled && (
        <span className="muted">
          {reconciled.happened ? 'it happened' : 'it did not happen'}, says <VisibleText text={reconciled.by} />
        </span>
      )}
    </span>
  )
}
