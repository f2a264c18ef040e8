import { memo, useState } from 'react'
import type { TurnStep } from '../log/round-picture.ts'
import { duration } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { thoughtWords } from './call-words.ts'
import { TurnText, useLiveTurn } from './turn-text.tsx'

/** What one model call said, as it comes or as it is stored. */
export const Turn = memo(function Turn({
  requestId,
  step,
  isOpen,
  isDeleted,
  hasFailed,
}: {
  requestId: string
  step: TurnStep
  isOpen: boolean
  isDeleted: boolean
  /** its round ended with an error */
  hasFailed: boolean
}) {
  const { said, retries, turn, seq } = step
  const isRunning = said === undefined && isOpen
  const live = useLiveTurn(requestId, turn, isRunning)
  if (isDeleted) return <p className="conv-quiet">This answer was deleted.</p>
  const reasoning = said?.reasoning ?? live?.reasoning ?? ''
  const hasText = (said?.text ?? live?.text ?? '') !== ''
  const writing = isRunning ? [...(live?.args ?? [])] : []
  return (
    <div className={classOf(said?.own ?? false, hasFailed)} data-seq={seq}>
      {retries.map(({ at, reason, model, waitMs }) => (
        <p key={at} className="conv-quiet">
          <Icon name="retry" /> Asked again: <VisibleText text={`${reason} (${model}, after ${duration(waitMs)})`} />
        </p>
      ))}
      {reasoning !== '' && <Reasoning text={reasoning} words={isRunning ? 'Thinking…' : thoughtWords(step)} />}
      <TurnText live={live} version={live?.version ?? 0} text={isRunning ? undefined : (said?.text ?? '')} />
      {said?.interrupted && <p className="conv-quiet conv-cut">stopped here</p>}
      {writing.map(([callId, { name, text }]) => (
        <p key={callId} className="conv-call-line conv-writing">
          <span className="conv-spinner" aria-hidden="true" />
          <strong>
            <VisibleText text={name} />
          </strong>
          <span className="muted">writing arguments… {text.length > 200 ? `${text.length} characters` : ''}</span>
        </p>
      ))}
      {isRunning && !hasText && writing.length === 0 && <p className="conv-quiet conv-working">working…</p>}
    </div>
  )
})

/** What Segno says itself, as why it stopped, looks different from what a model says. */
const classOf = (isOwn: boolean, hasFailed: boolean): string =>
  `conv-turn${isOwn ? ' conv-own' : ''}${isOwn && hasFailed ? ' conv-failed' : ''}`

function Reasoning({ text, words }: { text: string; words: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="conv-reasoning">
      <button type="button" className="conv-fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'down' : 'right'} size={12} /> {words}
      </button>
      {isOpen && (
        <div className="conv-reasoning-text">
          <VisibleText text={text} spaces="prose" />
        </div>
      )}
    </div>
  )
}
