import { useState } from 'react'
import type { Session } from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import { newKey } from '../../conversation/unsent.ts'
import { Question } from '../../parts/question.tsx'
import { useSessionList } from '../../sessions/session-list-state.ts'
import { refresh } from '../../state/polled.ts'
import { goTo } from '../../state/route.ts'
import { Select } from '../field.tsx'
import { titleOf, type Prompt } from './prompt.ts'

/** Goes on with a conversation under the words of a draft, in a fork of it. */
export function TryPrompt({ prompt, onClose }: { prompt: Prompt; onClose: () => void }) {
  const { items, isLoading } = useSessionList('', false)
  const [chosen, choose] = useState('')
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
    <Question
      title={`Try ${titleOf(prompt)}`}
      go="Try it in a fork"
      icon="fork"
      isHarmless
      isReady={sessionId !== undefined}
      run={go}
      onClose={onClose}
    >
      <p>
        One of your conversations goes on in a fork, under the words of this draft and in plan mode: only tools without
        effects. The conversation itself stays as it is.
      </p>
      {items.length === 0 && !isLoading ? (
        <p>
          You have no conversation yet. <a href="#/">Begin one</a>, then come back.
        </p>
      ) : (
        <Select
          label="Conversation"
          options={items.map(({ id, title }) => [id, title])}
          value={sessionId}
          choose={choose}
        />
      )}
    </Question>
  )
}
