import type { Session } from '../../../src/client/index.ts'
import { useFocusBack } from '../parts/focus-back.ts'
import { RenameField } from '../parts/rename-field.tsx'
import { changeSession } from '../sessions/session-actions.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { attempt } from './trouble.ts'

interface TitleProps {
  readonly session: Session
  readonly isNaming: boolean
  readonly setNaming: (isNaming: boolean) => void
}

/** The title; a click on it makes it a field. */
export function Title({ session, isNaming, setNaming }: TitleProps) {
  const back = useFocusBack<HTMLButtonElement>()
  if (isNaming) {
    return (
      <RenameField
        className="conv-title-input"
        label="Title of the conversation"
        title={session.title}
        onDone={(title, byKey) => {
          back.want(byKey)
          setNaming(false)
          if (title !== undefined) void attempt(changeSession(session.id, { title }))
        }}
      />
    )
  }
  return (
    <h1 className="conv-title row">
      <button ref={back.ref} type="button" className="ellipsis" title="Rename" onClick={() => setNaming(true)}>
        <VisibleText text={session.title} />
      </button>
      {session.archived && <span className="chip">archived</span>}
    </h1>
  )
}
