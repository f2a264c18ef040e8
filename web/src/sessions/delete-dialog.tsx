import type { Session } from '../../../src/client/index.ts'
import { Question } from '../parts/question.tsx'
import { VisibleText } from '../text/visible-text.tsx'
import { deleteSession } from './session-actions.ts'

/** Asks before a conversation is deleted, and deletes it. */
export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  return (
    <Question
      title="Delete this conversation?"
      keep="Keep it"
      go="Delete"
      icon="trash"
      run={() => deleteSession(session.id)}
      onClose={onClose}
    >
      <p>
        <VisibleText as="strong" text={session.title} /> and everything said in it will be erased. This cannot be
        undone. Forks of it stay. What the audit log says of it stays too; it holds no content.
      </p>
    </Question>
  )
}
