import { useRef } from 'react'
import type { Session } from '../api/shapes.ts'
import { changeSession } from '../sessions/session-actions.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { attempt } from './trouble.ts'

/** The title; a click on it makes it a field. */
export function Title({
  session,
  isNaming,
  setNaming,
}: {
  session: Session
  isNaming: boolean
  setNaming: (isNaming: boolean) => void
}) {
  const given = useRef(false)
  if (!isNaming) {
    return (
      <h1 className="conv-title">
        <button type="button" title="Rename" onClick={() => setNaming(true)}>
          <VisibleText text={session.title} />
        </button>
        {session.archived && <span className="conv-chip">archived</span>}
      </h1>
    )
  }
  const end = (title?: string): void => {
    // Taking the field away takes the focus from it, which is no second answer.
    if (given.current) return
    given.current = true
    setNaming(false)
    const wanted = title?.trim() ?? ''
    if (wanted !== '' && wanted !== session.title) void attempt(changeSession(session.id, { title: wanted }))
  }
  return (
    <input
      className="input conv-title-input"
      aria-label="Title of the conversation"
      defaultValue={session.title}
      maxLength={200}
      ref={(field) => {
        if (!field) return
        given.current = false
        field.select()
      }}
      onBlur={(event) => end(event.target.value)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') end(event.currentTarget.value)
        else if (event.key === 'Escape') {
          event.stopPropagation()
          end()
        }
      }}
    />
  )
}
