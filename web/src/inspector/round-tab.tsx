import { useEffect, useRef } from 'react'
import { addUsage, NO_USAGE } from '../../../src/contract/message.ts'
import { Later } from '../conversation/later.tsx'
import { paramWords } from '../conversation/param-words.ts'
import { latersIn } from '../conversation/round-words.ts'
import { useNow } from '../conversation/use-now.ts'
import { Problem } from '../parts/attempt.tsx'
import { duration, FINISHED, moment, money, tokens } from '../parts/format.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { roundsIn } from '../log/session-log.ts'
import { useModels } from '../state/models.ts'
import { useFollowed, useSession } from '../state/session.ts'
import { useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { cacheWords } from './cache-words.ts'
import { Facts, Id } from './facts.tsx'
import { inspected } from './inspected.ts'
import { originWords } from './origin-words.ts'
import { RoundChoice } from './round-choice.tsx'
import { TimelineView } from './timeline-view.tsx'

/** One round: why it ended, what it cost, and where its time went. */
export function RoundTab() {
  const { id } = useSession()
  const { log } = useFollowed()
  const { requestId } = useStore(inspected)
  const rounds = roundsIn(log)
  const round = rounds.find((one) => one.requestId === requestId) ?? rounds.at(-1)
  useLetGo(rounds.at(-1)?.requestId)
  const now = useNow(500, round !== undefined && round.state !== 'ended')
  if (!round) return <p className="insp-note">Nothing has been said here yet. A round begins with a message.</p>

  return (
    <>
      <RoundChoice log={log} requestId={round.requestId} />
      <p className={`insp-finish ${toneOf(round)}`}>{wordsFor(round)}</p>
      {latersIn(round).map((call) => (
        <p key={call.callId} className="insp-note">
          <Later call={call} />
        </p>
      ))}
      <Problem text={round.finish?.error} />
      <Numbers round={round} now={now} />
      <h3 className="insp-title">Timeline</h3>
      <TimelineView key={round.requestId} round={round} now={now} />
      <h3 className="insp-title">Ids</h3>
      <Facts
        of={[
          ['Round', <Id key="r" name="the id of the round" value={round.requestId} short={26} />],
          ['Conversation', <Id key="s" name="the id of the conversation" value={id} short={26} />],
          ['Events', `${round.firstSeq} to ${round.lastSeq}`],
        ]}
      />
    </>
  )
}

/** If the last round is shown, the next one is shown when it begins; an earlier round stays. */
function useLetGo(lastId: string | undefined): void {
  const before = useRef(lastId)
  useEffect(() => {
    const { tab, requestId } = inspected.get()
    if (requestId !== undefined && requestId === before.current && lastId !== requestId) inspected.set({ tab })
    before.current = lastId
  }, [lastId])
}

function Numbers({ round, now }: { round: RoundPicture; now: number }) {
  const { begun, finish, steps, asked, ownAsks } = round
  const turns = steps.flatMap((step) => (step.kind === 'turn' && !step.said?.own ? [step] : []))
  const calls = steps.filter(({ kind }) => kind === 'call')
  // A running round has no total yet: add up its turns, its calls and what Segno itself asked for.
  const usage =
    finish?.usage ?? [...turns, ...ownAsks].reduce((sum, { usage: one }) => addUsage(sum, one ?? NO_USAGE), NO_USAGE)
  const cost =
    finish?.cost ??
    steps.reduce(
      (sum, step) =>
        sum + (step.kind === 'turn' ? (step.cost ?? 0) : step.kind === 'call' ? (step.result?.cost ?? 0) : 0),
      ownAsks.reduce((sum, one) => sum + (one.cost ?? 0), 0),
    )
  const cache = cacheWords([...turns, ...ownAsks], useModels())
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
          ['Cache', cache],
          ['Model', begun && <VisibleText text={begun.model} />],
          ['Asked for', begun?.params && <VisibleText text={paramWords(begun.params)} />],
          ['Began', begun && moment(begun.at)],
          ['Started', begun?.origin && originWords(begun.origin)],
          ...asked.map(({ what, by, at }) => [ASKED[what], <VisibleText key={at} text={`by ${by}`} />] as const),
        ]}
      />
    </>
  )
}

const ASKED = { cancel: 'Stopped', pause: 'Paused', interrupt: 'Interrupted' } as const
const STATES = { running: 'running', waiting: 'waiting for a decision', paused: 'paused' } as const

function wordsFor(round: RoundPicture): string {
  if (round.finish) return FINISHED[round.finish.reason]
  if (round.state === 'ended') return 'ended'
  return latersIn(round).length > 0 ? 'waiting for a result' : STATES[round.state]
}

function toneOf({ state, finish }: RoundPicture): string {
  if (state === 'waiting') return 'warn'
  if (!finish) return 'open'
  return finish.reason === 'complete' ? 'ok' : finish.reason === 'error' ? 'danger' : 'warn'
}
