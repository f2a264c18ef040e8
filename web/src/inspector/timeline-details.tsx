import { CodeBox } from '../parts/code-box.tsx'
import { clock, duration, money, OUTCOMES, STOPPED, tokens } from '../parts/format.ts'
import type { CallStep, OwnAsk, TurnStep } from '../log/round-picture.ts'
import { useModels } from '../state/models.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { cacheWords } from './cache-words.ts'
import { Facts, Id } from './facts.tsx'
import type { TimelineRow } from './timeline.ts'
import { useProviderSaid } from './use-provider-said.ts'

/** Everything that is known of a line of the timeline. */
export function TimelineDetails({ requestId, row: { what, from } }: { requestId: string; row: TimelineRow }) {
  switch (what.kind) {
    case 'turn':
      return <Turn requestId={requestId} turn={what.turn} />
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
    case 'own':
      return <Own ask={what.ask} />
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
  workflow: 'The result of a workflow comes later.',
  task: 'The result of a task comes later.',
  paused: 'Somebody paused the round.',
  takeover: 'The server stopped while the round was running; another one took it over.',
} as const

function Turn({ requestId, turn }: { requestId: string; turn: TurnStep }) {
  const saidOf = useProviderSaid(requestId, turn)
  const cache = cacheWords([turn], useModels())
  return (
    <Facts
      of={[
        ['Began', clock(turn.startedAt)],
        ['Model', turn.model === '' ? undefined : <VisibleText text={turn.model} />],
        [
          'Ended',
          turn.stopReason && (
            <>
              {STOPPED[turn.stopReason]}
              <Quote text={saidOf()} />
            </>
          ),
        ],
        ['Tokens', turn.usage && tokens(turn.usage)],
        ['Cache', cache],
        ['Cost', turn.cost === undefined ? undefined : money(turn.cost, turn.usage?.unpriced)],
        ...turn.retries.map(
          ({ at, attempt, reason, model, waitMs }, index) =>
            [
              `Retry ${index + 1}`,
              <span key={at}>
                <VisibleText text={reason} />; after {duration(waitMs)} <VisibleText text={model} />
                <Quote text={saidOf(attempt)} />
              </span>,
            ] as const,
        ),
      ]}
    />
  )
}

/** Words of a provider about a failed attempt. */
function Quote({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <blockquote aria-label="What the provider said">
      <VisibleText text={text} spaces="prose" />
    </blockquote>
  )
}

function Own({ ask }: { ask: OwnAsk }) {
  const cache = cacheWords([ask], useModels())
  return (
    <Facts
      of={[
        ['Began', clock(ask.startedAt)],
        ['Why', <VisibleText key="w" text={ask.because} />],
        ['Model', <VisibleText key="m" text={ask.model} />],
        ['Failed', ask.failed && <VisibleText text={ask.failed} />],
        ['Tokens', ask.usage && tokens(ask.usage)],
        ['Cache', cache],
        ['Cost', ask.cost === undefined ? undefined : money(ask.cost, ask.usage?.unpriced)],
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
