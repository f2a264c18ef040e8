import { useState } from 'react'
import { ask } from '../api/client.ts'
import { wordsOf } from '../api/problem.ts'
import type { CallStep } from '../log/round-picture.ts'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { refresh } from '../state/polled.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'

/** Nobody knows whether a call did what it does. Only a person can find out. */
export function InDoubt({ sessionId, call }: { sessionId: string; call: CallStep }) {
  return (
    <section className="conv-doubt" role="group" aria-label={`Unknown outcome of ${visibleText(call.name)}`}>
      <p>
        <Icon name="warn" />
        <strong>
          Nobody knows whether <VisibleText text={call.name} /> happened.
        </strong>
      </p>
      <p>
        It was started and no end of it was seen. Segno does not do it again by itself. Look where it acts, then say
        what you found: the model is told.
      </p>
      <Settle sessionId={sessionId} callId={call.callId} />
    </section>
  )
}

/** Where a person says what became of a call, in one of the sessions that have it. */
export function Settle({ sessionId, callId }: { sessionId: string; callId: string }) {
  const [note, setNote] = useState('')
  const [isSaying, setSaying] = useState(false)
  const [problem, setProblem] = useState('')
  const say = async (happened: boolean): Promise<void> => {
    if (isSaying) return
    setSaying(true)
    const body = { happened, sessionId, ...(note.trim() !== '' && { note: note.trim() }) }
    await ask('POST', `/api/calls/${encodeURIComponent(callId)}/reconcile`, body).then(
      () => setProblem(''),
      (error: unknown) => setProblem(wordsOf(error)),
    )
    refresh('/api/calls')
    setSaying(false)
  }
  return (
    <>
      <input
        className="input"
        aria-label="Note"
        placeholder="Note (optional)"
        maxLength={1000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="conv-row">
        <Button icon="check" aria-disabled={isSaying} onClick={() => void say(true)}>
          It happened
        </Button>
        <Button icon="cross" aria-disabled={isSaying} onClick={() => void say(false)}>
          It did not happen
        </Button>
      </div>
      {problem !== '' && (
        <p role="alert" className="danger">
          <VisibleText text={problem} />
        </p>
      )}
    </>
  )
}
