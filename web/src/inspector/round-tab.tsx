import { useEffect, useRef } from 'react'
import { addUsage, NO_USAGE, textOf } from '../../../src/contract/message.ts'
import { useNow } from '../conversation/use-now.ts'
import { clock, duration, moment, FINISHED, money, tokens } from '../parts/format.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { visibleText } from '../text/visible.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { Facts, Id } from './facts.tsx'
import { inspected } from './inspected.ts'
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
      <select
        className="input"
        aria-label="Choose the round"
        value={round.requestId}
        onChange={(event) => choose(event.target.value, rounds)}
      >
        {rounds.toReversed().map((one) => (
          <option key={one.requestId} value={one.requestId}>
            {nameOf(one)}
          </option>
        ))}
      </select>
      <p className={`insp-finish ${toneOf(round)}`}>{wordsFor(round)}</p>
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

/** The last round is whichever is the last, also later. */
function choose(requestId: string, rounds: readonly RoundPicture[]): void {
  const isLast = rounds.at(-1)?.requestId === requestId
  inspected.set({ tab: 'round', ...(!isLast && { requestId }) })
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
  const { begun, finish, steps } = round
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
        ]}
      />
    </>
  )
}

const STATES = { running: 'running', waiting: 'waiting for a decision', paused: 'paused' } as const

const wordsFor = (round: RoundPicture): string =>
  round.finish ? FINISHED[round.finish.reason] : round.state === 'ended' ? 'ended' : STATES[round.state]

function toneOf({ state, finish }: RoundPicture): string {
  if (state === 'waiting') return 'warn'
  if (!finish) return 'open'
  return finish.reason === 'complete' ? 'ok' : finish.reason === 'error' ? 'danger' : 'warn'
}

function nameOf(round: RoundPicture): string {
  const said = visibleText(
    textOf(round.user?.content ?? [])
      .slice(0, 60)
      .replaceAll(/[ \t\r\n]+/g, ' '),
  )
  const time = round.begun ? `${clock(round.begun.at)} ` : ''
  return `${time}${said === '' ? 'a message before what is loaded' : said}`
}
