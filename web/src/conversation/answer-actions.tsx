import type { RoundPicture } from '../log/round-picture.ts'
import { IconButton } from '../parts/button.tsx'
import { forkSession } from '../sessions/session-actions.ts'
import { CopyButton } from './copy-button.tsx'
import { answerOf } from './round-words.ts'
import { attempt } from './trouble.ts'

export function AnswerActions({
  sessionId,
  round,
  deleted,
}: {
  sessionId: string
  round: RoundPicture
  deleted: ReadonlySet<string>
}) {
  return (
    <span className="conv-actions">
      <CopyButton label="Copy answer" text={() => answerOf(round, deleted)} />
      <IconButton
        label="Fork from here"
        icon="fork"
        onClick={() => void attempt(forkSession(sessionId, round.lastSeq))}
      />
    </span>
  )
}
