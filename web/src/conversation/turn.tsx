import { memo } from 'react'
import type { TurnStep } from '../log/round-picture.ts'
import { CodeBox } from '../parts/code-box.tsx'
import { duration } from '../parts/format.ts'
import { Fold } from '../parts/fold-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { thoughtWords } from './call-words.ts'
import { CitedText } from './citations.tsx'
import { Files } from './files.tsx'
import { Remembers } from './remembers.tsx'
import { Sources } from './sources.tsx'
import { TurnText, useLiveTurn } from './turn-text.tsx'

interface TurnProps {
  readonly requestId: string
  readonly step: TurnStep
  readonly isOpen: boolean
  readonly isDeleted: boolean
  /** its round ended with an error */
  readonly hasFailed: boolean
  /** the answer was to be a JSON object */
  readonly isJson: boolean
}

/** What one model call said, as it comes or as it is stored. */
export const Turn = memo(function Turn({ requestId, step, isOpen, isDeleted, hasFailed, isJson }: TurnProps) {
  const { said, retries, turn, seq } = step
  const isRunning = said === undefined && isOpen
  const live = useLiveTurn(requestId, turn, isRunning)
  if (isDeleted) return <p className="row conv-quiet">This answer was deleted.</p>
  const reasoning = said?.reasoning ?? live?.reasoning ?? ''
  const hasText = (said?.text ?? live?.text ?? '') !== ''
  const json = isJson && said ? objectIn(said.text) : undefined
  const writing = isRunning ? [...(live?.args ?? [])] : []
  return (
    <div className={classOf(said?.own ?? false, hasFailed)} data-seq={seq}>
      {retries.map(({ at, reason, model, waitMs }) => (
        <p key={at} className="row conv-quiet">
          <Icon name="retry" /> Asked again: <VisibleText text={`${reason} (${model}, after ${duration(waitMs)})`} />
        </p>
      ))}
      {reasoning !== '' && (
        <Fold head={isRunning ? 'Thinking…' : thoughtWords(step)}>
          <VisibleText as="div" className="conv-reasoning-text" text={reasoning} spaces="prose" />
        </Fold>
      )}
      <CitedText eventId={said?.eventId} citations={said?.citations}>
        {json ? (
          <CodeBox label="The answer as JSON" content={json} />
        ) : (
          <TurnText live={live} version={live?.version ?? 0} text={isRunning ? undefined : (said?.text ?? '')} />
        )}
      </CitedText>
      {said?.files && <Files files={said.files} />}
      {said?.sources && <Sources sources={said.sources} />}
      {said?.remembers && <Remembers suggestions={said.remembers} />}
      {said?.interrupted && <p className="row conv-quiet conv-cut">stopped here</p>}
      {writing.map(([callId, { name, text }]) => (
        <p key={callId} className="conv-call-line row conv-writing">
          <span className="conv-spinner" aria-hidden="true" />
          <VisibleText as="strong" text={name} />
          <span className="muted">writing arguments… {text.length > 200 ? `${text.length} characters` : ''}</span>
        </p>
      ))}
      {isRunning && !hasText && writing.length === 0 && <p className="row conv-quiet conv-working">working…</p>}
    </div>
  )
})

/** Nothing where it is something else: then it is shown as it is. */
function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Segno's own texts, such as why it stopped, look different from a model's. */
const classOf = (isOwn: boolean, hasFailed: boolean): string =>
  `conv-turn${isOwn ? ' conv-own' : ''}${isOwn && hasFailed ? ' conv-failed' : ''}`
