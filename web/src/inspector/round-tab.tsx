import { useEffect, useRef } from 'react'
import { addUsage, NO_USAGE } from '../../../src/contract/message.ts'
import { useNow } from '../conversation/use-now.ts'
import { duration, FINISHED, moment, money, tokens } from '../parts/format.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Facts, Id } from './facts.tsx'
import { inspected } from './inspected.ts'
import { RoundChoice } from './round-choice.tsx'
import { roundsIn } from './rounds.ts'
import { TimelineView } from './timeline-view.tsx'

/** One round: why it ended, what it cost, and where its time went. */
export function RoundTab() {
  const { session, log } = useFollowed(useSession())
  const { requestId } = useStore(inspected)
  const rounds = roundsIn(log)
  const round = rounds.find((one) => one.requestId === requestId) ?? rounds.at(-1)
  useLetGo(rounds.at(-1)?.requestId)
  const now = useNow(500, round !== undefined && round.state !== 'ended')
  if (!round || !session)
    return <p className="insp-note">Nothing has been said here yet. A round begins with a message.</p>

  return (
    <>
      <RoundChoice log={log} requestId={round.requestId} />
      <p className={`insp-finish ${toneOf(round)}`}>
        {wordsFor(round)}
        {round.finish && round.finish.reason !== FINISHED[round.finish.reason] && (
          <code className="insp-reason">{round.finish.reason}</code>
        )}
      </p>
      {round.finish?.error !== undefined && (
        <p className="insp-error">
          <VisibleText text={round.finish.error} />
        </p>
      )}
      <Numbers round={round} now={now} />
      <h3 className="insp-title">Timeline</h3>
      <TimelineView key={round.requestId} round={round} sessionId={session.id} now={now} />
      <h3 className="insp-title">Names</h3>
      <Facts
        of={[
          ['Round', <Id key="r" name="the id of the round" value={round.requestId} short={26} />],
          ['Session', <Id key="s" name="the id of the session" value={session.id} short={26} />],
          ['Events', `${round.firstSeq} to ${round.lastSeq}`],
        ]}
      />
    </>
  )
}

/** Who looks at the last round sees the next one when it begins; who looks at an earlier one goes on doing so. */
function useLetGo(lastId: string | undefined): void {
  const before = useRef(lastId)
  useEffect(() => {
    const { tab, requestId } = inspected.get()
    if (requestId !== undefined && requestId === before.current && lastId !== requestId) inspected.set({ tab })
    before.current = lastId
  }, [lastId])
}

function Numbers({ round, now }: { round: RoundPicture; now: number }) {
  const { begun, finish, steps, asked } = round
  const turns = steps.flatMap((step) => (step.kind === 'turn' && !step.said?.own ? [step] : []))
  const calls = steps.filter(({ kind }) => kind === 'call')
  // What a running round has used so far is what its turns and calls say.
  const usage = finish?.usage ?? turns.reduce((sum, { usage: one }) => addUsage(sum, one ?? NO_USAGE), NO_USAGE)
  const cost =
    finish?.cost ??
    steps.reduce(
      (sum, step) =>
        sum + (step.kind === 'turn' ? (step.cost ?? 0) : step.kind === 'call' ? (step.result?.cost ?? 0) : 0),
      0,
    )
  const from = begun?.at ?? turns[0]?.startedAt
  return (
    <>
      <Facts
        two
        of={[
          ['Took', from === undefined ? undefined : duration((finish?.at ?? now) - from)],
          ['Cost', money(cost, usage.unpriced)],
          ['Turns', `${turns.length}`],
          ['Calls', `${calls.length}`],
          ['Protocol', begun?.protocol],
          ['Mode', begun?.mode],
        ]}
      />
      <Facts
        of={[
          ['Tokens', tokens(usage)],
          ['Model', begun && <VisibleText text={begun.model} />],
          ['Began', begun && moment(begun.at)],
          ...asked.map(({ what, by, at }) => [ASKED[what], <VisibleText key={at} text={`by ${by}`} />] as const),
        ]}
      />
    </>
  )
}

const ASKED = { cancel: 'Stopped', pause: 'Paused', interrupt: 'Interrupted' } as const
const STATES = { running: 'running', waiting: 'waiting for a decision', paused: 'paused' } as const

const wordsFor = (round: RoundPicture): string =>
  round.finish ? FINISHED[round.finish.reason] : round.state === 'ended' ? 'ended' : STATES[round.state]

function toneOf({ state, finish }: RoundPicture): string {
  if (state === 'waiting') return 'warn'
  if (!finish) return 'open'
  return finish.reason === 'complete' ? 'ok' : finish.reason === 'error' ? 'danger' : 'warn'
}
