import { useState } from 'react'
import { client } from '../api/client.ts'
import type { CallStep } from '../log/round-picture.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { refresh } from '../state/polled.ts'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { visibleText } from '../text/visible.ts'

/** Nobody knows whether a call did what it does. Only a person can find out. */
export function InDoubt({ call }: { call: CallStep }) {
  return (
    <section className="conv-doubt column" role="group" aria-label={`Unknown outcome of ${visibleText(call.name)}`}>
      <p className="row">
        <Icon name="warn" />
        <strong>
          Nobody knows whether <VisibleText text={call.name} /> happened.
        </strong>
      </p>
      <p>
        It was started, but Segno did not see it end, and does not do it again by itself. Look where it acts, then say
        what you found: the model is told.
      </p>
      <Settle sessionId={useSession().id} callId={call.callId} />
    </section>
  )
}

/** Buttons to say whether a call happened. */
export function Settle({ sessionId, callId }: { sessionId: string; callId: string }) {
  const [note, setNote] = useState('')
  const [isSaying, setSaying] = useState(false)
  const [problem, attempt] = useAttempt()
  const say = async (happened: boolean): Promise<void> => {
    if (isSaying) return
    setSaying(true)
    const body = { happened, sessionId, ...(note.trim() !== '' && { note: note.trim() }) }
    await attempt(client.reconcile(callId, body))
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
      <div className="row wrap">
        <Button icon="check" aria-disabled={isSaying} onClick={() => void say(true)}>
          It happened
        </Button>
        <Button icon="cross" aria-disabled={isSaying} onClick={() => void say(false)}>
          It did not happen
        </Button>
      </div>
      <Problem text={problem} />
    </>
  )
}
