import { useState } from 'react'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { ago, moment } from '../parts/format.ts'
import { hrefOf } from '../state/route.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { changeMemory, deleteMemory, type Memory } from './memory-api.ts'
import { MemoryForm } from './memory-form.tsx'

/** A memory, where it comes from, and what can be done with it. */
export function OneMemory({ memory, mayWrite }: { memory: Memory; mayWrite: boolean }) {
  const [isEdited, setEdited] = useState(false)
  const [problem, attempt] = useAttempt()
  const { content, category, importance, status, source, sessionId, eventId, updatedAt } = memory
  return (
    <li className={status === 'proposed' ? 'op-card loud' : 'op-card'}>
      {isEdited ? (
        <MemoryForm
          memory={{ content, category, importance }}
          go="Save"
          save={(written) => changeMemory(memory, written)}
          close={() => setEdited(false)}
        />
      ) : (
        <VisibleText as="p" text={content} spaces="prose" />
      )}
      <p className="op-facts muted row wrap">
        <span>{category}</span>
        <span>importance {importance}</span>
        <span title={moment(updatedAt)}>{ago(updatedAt)}</span>
        {sessionId !== undefined ? (
          <a href={hrefOf({ page: 'session', id: sessionId, ...(eventId !== undefined && { eventId }) })}>
            the message it came from
          </a>
        ) : (
          <span>{source === 'user' ? 'written by you' : 'its conversation was deleted'}</span>
        )}
      </p>
      {mayWrite && !isEdited && (
        <div className="row wrap">
          {status === 'proposed' && (
            <Button
              kind="primary"
              icon="check"
              onClick={() => void attempt(changeMemory(memory, { status: 'active' }))}
            >
              Keep
            </Button>
          )}
          {status === 'active' && (
            <Button kind="quiet" icon="edit" onClick={() => setEdited(true)}>
              Edit
            </Button>
          )}
          <Button kind="quiet" icon="trash" onClick={() => void attempt(deleteMemory(memory))}>
            Delete
          </Button>
        </div>
      )}
      <Problem text={problem} />
    </li>
  )
}
