import type { CallStep, RoundPicture, Step, TurnStep } from '../../log/round-picture.ts'
import { duration, money, OUTCOMES, tokens } from '../../parts/format.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { VisibleText } from '../../text/visible-text.tsx'

/** Turns and calls of a round in the order in which they began, one line each. */
export function RoundSteps({ round }: { round: RoundPicture }) {
  // What it failed with is shown above, and stored as a notice too.
  const steps = round.steps.filter((step) => step.kind !== 'notice' || step.text !== round.finish?.error)
  if (steps.length === 0) return <p className="muted">Nothing was done in it.</p>
  return (
    <ol className="op-steps">
      {steps.map((step) => (
        <li key={`${step.kind} ${step.seq}`}>
          <StepLine step={step} />
        </li>
      ))}
    </ol>
  )
}

function StepLine({ step }: { step: Step }) {
  if (step.kind === 'turn') return <TurnLine step={step} />
  if (step.kind === 'call') return <CallLine step={step} />
  return (
    <span className="op-step muted">
      <Icon name="warn" />
      <VisibleText text={step.text} />
    </span>
  )
}

function TurnLine({ step: { turn, model, startedAt, endedAt, stopReason, usage, cost, retries } }: { step: TurnStep }) {
  return (
    <span className="op-step">
      <Icon name="chart" />
      <strong>turn {turn}</strong>
      <VisibleText text={model} />
      <span>{stopReason === undefined ? 'not finished' : stopReason.replaceAll('_', ' ')}</span>
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

const LOOKS: Readonly<Record<string, readonly [IconName, string]>> = {
  ok: ['check', 'ok'],
  error: ['cross', 'danger'],
  unknown: ['question', 'danger'],
  timeout: ['clock', 'danger'],
}

function CallLine({ step: { name, result, approval, startedAt, reconciled } }: { step: CallStep }) {
  const [icon, tone] = result ? (LOOKS[result.outcome] ?? ['warn', 'warn']) : (['clock', 'muted'] as const)
  const open =
    approval?.status === 'pending' ? 'asks for a decision' : startedAt === undefined ? 'asked for' : 'running'
  return (
    <span className="op-step">
      <Icon name="tool" />
      <strong>
        <VisibleText text={name} />
      </strong>
      <span className={`op-state ${tone}`}>
        <Icon name={icon} />
        {result ? OUTCOMES[result.outcome] : open}
      </span>
      {result?.code !== undefined && <code>{result.code}</code>}
      {result && result.outcome !== 'refused' && <span className="muted">{duration(result.durationMs)}</span>}
      {result !== undefined && result.cost > 0 && <span className="muted">{money(result.cost)}</span>}
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
