import type { Session } from '../../../src/client/index.ts'
import { Problem, useAttempt } from '../parts/attempt.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { deleteSession } from './session-actions.ts'

/** Asks before a conversation is deleted, and deletes it. */
export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [problem, attempt] = useAttempt()
  return (
    <Dialog title="Delete this conversation?" onClose={onClose}>
      <p>
        <VisibleText as="strong" text={session.title} /> and everything said in it will be erased. This cannot be
        undone. Forks of it stay. What the audit log says of it stays too; it holds no content.
      </p>
      <Problem text={problem} />
      <div className="side-answers row wrap">
        <Button onClick={onClose}>Keep it</Button>
        <Button
          kind="danger"
          icon="trash"
          onClick={() => void attempt(deleteSession(session.id)).then((isDone) => isDone && onClose())}
        >
          Delete
        </Button>
      </div>
    </Dialog>
  )
}
