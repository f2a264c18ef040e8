import { useRef, useState } from 'react'
import { CONTINUED, textOf, type FilePart } from '../../../src/contract/message.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { IconButton } from '../parts/button.tsx'
import { useFocusBack } from '../parts/focus-back.ts'
import { moment } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../state/session.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { changeDraft, dropDraft, editBoxOf, useDraft, focusSoon } from './drafts.ts'
import { EditMessage } from './edit-message.tsx'
import { Files } from './files.tsx'

const LONG_CHARS = 3000
const LONG_LINES = 30

/** What a person said. */
export function UserMessage({ round, isDeleted }: { round: RoundPicture; isDeleted: boolean }) {
  const { id } = useSession()
  const { user, begun } = round
  // A fork shares everything before this round.
  const forkAt = (begun?.seq ?? 0) - 1
  const box = editBoxOf(id, forkAt)
  const draft = useDraft(box)
  const opener = useRef<Element>(null)
  const back = useFocusBack<HTMLButtonElement>()
  if (!user) return null
  if (user.own) {
    return (
      <p className="row conv-event" data-seq={user.seq}>
        <Icon name="play" size={14} />
        {CONTINUED}
      </p>
    )
  }
  const text = textOf(user.content)
  const files = user.content.filter((part): part is FilePart => part.type === 'file')
  return (
    <article className="conv-message" data-item data-seq={user.seq} tabIndex={-1} aria-label="You">
      <header className="conv-who row">
        <h2>You</h2>
        {begun?.mode === 'plan' && <span className="chip">plan</span>}
        {begun?.origin && <span className="chip">by a {begun.origin.kind}</span>}
        <time className="conv-when" dateTime={new Date(user.at).toISOString()}>
          {moment(user.at)}
        </time>
        {!draft && !isDeleted && (
          <span className="conv-actions">
            {begun && (
              <IconButton
                ref={back.ref}
                label="Edit"
                icon="edit"
                className="conv-edit"
                onClick={() => {
                  opener.current = document.activeElement
                  focusSoon(box)
                  changeDraft(box, { text })
                }}
              />
            )}
            <CopyButton label="Copy message" text={() => text} />
          </span>
        )}
      </header>
      {isDeleted ? (
        <p className="row conv-quiet">This message was deleted.</p>
      ) : draft && begun ? (
        <EditMessage
          forkAt={forkAt}
          draft={draft.text}
          files={files}
          mode={begun.mode}
          cancel={() => {
            dropDraft(box)
            // The focus goes back to the composer or to the button it came from.
            if (opener.current instanceof HTMLTextAreaElement) opener.current.focus({ preventScroll: true })
            else back.want(true)
          }}
        />
      ) : (
        <UserText text={text} />
      )}
      {!isDeleted && <Files files={files} />}
    </article>
  )
}

/** As it was typed; a very long one is folded. */
export function UserText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  if (text === '') return null
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <>
      <div className={isLong && !isWhole ? 'conv-plain conv-clamped' : 'conv-plain'} dir="auto">
        <VisibleText text={text} spaces="prose" />
      </div>
      {isLong && (
        <button type="button" className="fold" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length} characters`}
        </button>
      )}
    </>
  )
}
