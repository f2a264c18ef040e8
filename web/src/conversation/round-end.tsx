import { textOf, type FilePart } from '../../../src/contract/message.ts'
import { ask } from '../api/client.ts'
import { inspectRound } from '../inspector/inspected.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { Button } from '../parts/button.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { createStore, useStore } from '../state/store.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { postAgain } from './edit-message.tsx'
import { endWords } from './round-words.ts'
import { attempt } from './trouble.ts'

/** Rounds whose message was sent again: once is enough, for what came of it has a button of its own. */
const retried = createStore<ReadonlySet<string>>(new Set())

/** How a round stands or what it came to, on one line; a click shows how it came about. */
export function RoundEnd({
  sessionId,
  round,
  isLast,
  isDeleted,
}: {
  sessionId: string
  round: RoundPicture
  isLast: boolean
  /** its message was */
  isDeleted: boolean
}) {
  const { finish, state, user, begun, requestId } = round
  const isRetried = useStore(retried).has(requestId)
  const path = `/api/rounds/${encodeURIComponent(requestId)}`
  if (state === 'paused') {
    return (
      <div className="conv-row conv-end-row">
        <span className="conv-end">
          <Icon name="pause" size={14} /> paused
        </span>
        <Button icon="play" onClick={() => void attempt(ask('POST', `${path}/resume`))}>
          Resume
        </Button>
      </div>
    )
  }
  if (!finish) return null
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
          <span>
            <VisibleText text={finish.error} spaces="prose" />
          </span>
        </p>
      )}
      <div className="conv-row conv-end-row">
        <button
          type="button"
          className="conv-end"
          title="How this came about"
          data-seq={round.lastSeq}
          onClick={() => inspectRound(requestId)}
        >
          <Icon name={iconOf(finish.reason)} size={14} />
          <span>{endWords(round).join(' · ')}</span>
        </button>
        {!isGood && user && begun && !isDeleted && (isLast || finish.reason === 'error') && (
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

/** Segno's own words end a failed round, usually with the error in them. */
const saysWhy = ({ steps }: RoundPicture, error: string): boolean =>
  steps.some((step) => step.kind === 'turn' && step.said?.own && step.said.text.includes(error))

function iconOf(reason: NonNullable<RoundPicture['finish']>['reason']): IconName {
  if (reason === 'complete') return 'check'
  if (reason === 'error') return 'cross'
  return reason === 'cancelled' ? 'stop' : reason === 'timeout' ? 'clock' : 'warn'
}
