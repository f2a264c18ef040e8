import { useState } from 'react'
import type { Session } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { newKey } from '../../conversation/unsent.ts'
import { Problem, useAttempt } from '../../parts/attempt.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useSessionList } from '../../sessions/session-list-state.ts'
import { refresh } from '../../state/polled.ts'
import { goTo } from '../../state/route.ts'
import { visibleText } from '../../text/visible.ts'
import { Field } from '../field.tsx'
import { titleOf, type Prompt } from './prompt.ts'

/** Goes on with a conversation under the words of a draft, in a fork of it. */
export function TryPrompt({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { items, isLoading } = useSessionList('', false)
  const [chosen, choose] = useState('')
  const [problem, attempt] = useAttempt()
  const sessionId = chosen || items[0]?.id
  const go = async (): Promise<void> => {
    if (sessionId === undefined) return
    const { seq } = await client.session(sessionId)
    const body = { seq, promptId: prompt.id }
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/fork`
    const fork = await client.requestJson<Session>('POST', path, { body, idempotencyKey: newKey() })
    refresh('/api/sessions')
    goTo({ page: 'session', id: fork.id })
  }
  return (
    <Dialog title={`Try ${titleOf(prompt)}`} onClose={onClose}>
      <p>
        One of your conversations goes on in a fork, under the words of this draft and in plan mode: only tools without
        effects. The conversation itself stays as it is.
      </p>
      {items.length === 0 && !isLoading ? (
        <p>
          You have no conversation yet. <a href="#/">Begin one</a>, then come back.
        </p>
      ) : (
        <Field label="Conversation">
          {(id) => (
            <select id={id} className="input" value={sessionId} onChange={(event) => choose(event.target.value)}>
              {items.map((session) => (
                <option key={session.id} value={session.id}>
                  {visibleText(session.title)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Problem text={problem} />
      <div className="answers row wrap">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          icon="fork"
          disabled={sessionId === undefined}
          onClick={() => void attempt(go()).then((isDone) => isDone && onClose())}
        >
          Try it in a fork
        </Button>
      </div>
    </Dialog>
  )
}
