import { useState } from 'react'
import { textOf, type FilePart } from '../../../src/contract/message.ts'
import { isCountLimit } from '../../../src/contract/outcome.ts'
import { client } from '../api/client.ts'
import { inspectRound } from '../inspector/inspected.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { Button } from '../parts/button.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useFollowed, useSession } from '../state/session.ts'
import { createStore, useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { toNextAsk } from './ask-focus.ts'
import { postAgain } from './edit-message.tsx'
import { Later } from './later.tsx'
import { endWords, latersIn } from './round-words.ts'
import { attempt } from './trouble.ts'

/** Rounds that were retried; the new round has a Retry of its own. */
const retried = createStore<ReadonlySet<string>>(new Set())

interface RoundEndProps {
  readonly round: RoundPicture
  readonly isLast: boolean
  /** its message was deleted */
  readonly isDeleted: boolean
}

/** The outcome of a round on one line; a click opens the inspector. */
export function RoundEnd({ round, isLast, isDeleted }: RoundEndProps) {
  const { id: sessionId } = useSession()
  const { finish, state, user, begun, requestId } = round
  const isRetried = useStore(retried).has(requestId)
  if (state === 'paused') {
    return (
      <div className="row wrap conv-end-row">
        <span className="fold conv-end">
          <Icon name="pause" size={14} /> paused
        </span>
        <Button icon="play" onClick={() => void attempt(client.resume(requestId))}>
          Resume
        </Button>
      </div>
    )
  }
  if (!finish)
    return latersIn(round).map((call) => (
      <p key={call.callId} className="row conv-quiet">
        <Icon name="clock" size={14} />
        <Later call={call} />
      </p>
    ))
  const again = async (): Promise<void> => {
    if (!user || !begun || retried.get().has(requestId)) return
    retried.set(new Set([...retried.get(), requestId]))
    const files = user.content.filter((part): part is FilePart => part.type === 'file')
    const place = { kind: 'session', sessionId } as const
    if (await attempt(postAgain(sessionId, place, round.lastSeq, textOf(user.content), files, begun.mode))) return
    retried.set(new Set([...retried.get()].filter((one) => one !== requestId)))
  }
  const isGood = finish.reason === 'complete'
  return (
    <>
      {finish.error !== undefined && !saysWhy(round, finish.error) && (
        <p className="conv-error">
          <Icon name="warn" />
          <VisibleText as="span" text={finish.error} spaces="prose" />
        </p>
      )}
      <div className="row wrap conv-end-row">
        <button
          type="button"
          className="fold conv-end"
          title="How this came about"
          data-seq={round.lastSeq}
          onClick={() => inspectRound(requestId)}
        >
          <Icon name={iconOf(finish.reason)} size={14} />
          <span>{endWords(round).join(' · ')}</span>
        </button>
        {isLast && isCountLimit(finish.reason) && <Continue requestId={requestId} lastSeq={round.lastSeq} />}
        {!isGood && user && !user.own && begun && !isDeleted && (isLast || finish.reason === 'error') && (
          <Button
            icon="retry"
            aria-disabled={isRetried}
            {...(isRetried && { title: 'It was sent again' })}
            onClick={() => void again()}
          >
            Retry
          </Button>
        )}
      </div>
    </>
  )
}

/** Lets a round that used up its turns or calls go on. In a fork only its own rounds can. */
function Continue({ requestId, lastSeq }: { requestId: string; lastSeq: number }) {
  const { session } = useFollowed()
  const [isAsked, setAsked] = useState(false)
  if (lastSeq <= (session?.parent?.seq ?? 0)) return null
  const goOn = async (): Promise<void> => {
    setAsked(true)
    // The button goes away with the new round; whoever pressed it goes on in the field.
    toNextAsk()
    if (!(await attempt(client.continueRound(requestId)))) setAsked(false)
  }
  return (
    <Button kind="primary" icon="play" disabled={isAsked} onClick={() => void goOn()}>
      Continue
    </Button>
  )
}

/** A failed round ends with a text of Segno's own that usually contains the error. */
const saysWhy = ({ steps }: RoundPicture, error: string): boolean =>
  steps.some((step) => step.kind === 'turn' && step.said?.own && step.said.text.includes(error))

function iconOf(reason: NonNullable<RoundPicture['finish']>['reason']): IconName {
  if (reason === 'complete') return 'check'
  if (reason === 'error') return 'cross'
  return reason === 'cancelled' ? 'stop' : reason === 'timeout' ? 'clock' : 'warn'
}
