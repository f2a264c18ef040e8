import { useState } from 'react'
import { wordsOf } from '../api/problem.ts'
import type { Session } from '../api/shapes.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { deleteSession } from './session-actions.ts'

/** Asks before a conversation is deleted, and deletes it. */
export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [problem, setProblem] = useState('')
  return (
    <Dialog title="Delete this conversation?" onClose={onClose}>
      <p>
        <strong>
          <VisibleText text={session.title} />
        </strong>{' '}
        and everything said in it will be erased. This cannot be undone. Forks of it stay. What the audit log says of it
        stays too; it holds no content.
      </p>
      {problem !== '' && (
        <p role="alert" className="side-alert">
          {problem}
        </p>
      )}
      <div className="side-answers">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          kind="danger"
          icon="trash"
          onClick={() => {
            deleteSession(session.id).then(onClose, (error: unknown) => setProblem(wordsOf(error)))
          }}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  )
}
