import { CodeBox } from '../parts/code-box.tsx'
import { clock, duration, money, OUTCOMES, STOPPED, tokens } from '../parts/format.ts'
import type { CallStep, TurnStep } from '../log/round-picture.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Facts, Id } from './facts.tsx'
import type { TimelineRow } from './timeline.ts'

/** Everything that is known of a line of the timeline. */
export function TimelineDetails({ row: { what, from } }: { row: TimelineRow }) {
  switch (what.kind) {
    case 'turn':
      return <Turn turn={what.turn} />
    case 'call':
      return <Call call={what.call} />
    case 'phase':
      return (
        <Facts
          of={[
            ['Phase', `${what.phase.phaseIndex}, cycle ${what.phase.cycleIndex}`],
            ['Began', clock(from)],
            ['Ended', what.phase.reason?.replaceAll('_', ' ')],
          ]}
        />
      )
    case 'rest':
      return (
        <Facts
          of={[
            ['Began', clock(from)],
            ['Why', RESTS[what.rest.why]],
          ]}
        />
      )
  }
}

const RESTS = {
  approval: 'A person has to decide about a call.',
  result: 'The result of a call comes later.',
  paused: 'Somebody paused the round.',
  takeover: 'The server stopped while the round was running; another one took it over.',
} as const

function Turn({ turn }: { turn: TurnStep }) {
  return (
    <Facts
      of={[
        ['Began', clock(turn.startedAt)],
        ['Model', turn.model === '' ? undefined : <VisibleText text={turn.model} />],
        ['Ended', turn.stopReason && STOPPED[turn.stopReason]],
        ['Tokens', turn.usage && tokens(turn.usage)],
        ['Cost', turn.cost === undefined ? undefined : money(turn.cost, turn.usage?.unpriced)],
        ...turn.retries.map(
          ({ at, reason, model, waitMs }, index) =>
            [
              `Retry ${index + 1}`,
              <span key={at}>
                <VisibleText text={reason} />; after {duration(waitMs)} <VisibleText text={model} />
              </span>,
            ] as const,
        ),
      ]}
    />
  )
}

function Call({ call }: { call: CallStep }) {
  const { result, approval } = call
  return (
    <>
      <Facts
        of={[
          ['Asked', clock(call.askedAt)],
          ['Outcome', result && `${OUTCOMES[result.outcome]}${result.code === undefined ? '' : ` (${result.code})`}`],
          ['Ran', result && duration(result.durationMs)],
          ['Cost', result && result.cost > 0 ? money(result.cost) : undefined],
          ['Effect', result && EFFECTS[result.effect]],
          ['Kind', call.effectClass],
          ['Decision', approval && decisionOf(approval)],
          ['Call', <Id key="c" name="the id of the call" value={call.callId} short={26} />],
        ]}
      />
      <CodeBox label="Arguments" content={call.raw ?? call.args} />
    </>
  )
}

const EFFECTS = { none: 'none', done: 'done', unknown: 'not known: look before you try again' } as const
const DECISIONS = { approve: 'approved', deny: 'denied', expired: 'expired', stale: 'out of date' } as const

function decisionOf({ status, by, requestedAt, decidedAt }: NonNullable<CallStep['approval']>) {
  if (status === 'pending') return 'waits for a person'
  return (
    <>
      {DECISIONS[status]}
      {by !== undefined && (
        <>
          {' '}
          by <VisibleText text={by} />
        </>
      )}
      {decidedAt !== undefined && ` after ${duration(decidedAt - requestedAt)}`}
    </>
  )
}
