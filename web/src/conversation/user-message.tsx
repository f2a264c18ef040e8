import { useState } from 'react'
import { textOf, type FilePart } from '../../../src/contract/message.ts'
import type { RoundPicture } from '../log/round-picture.ts'
import { IconButton } from '../parts/button.tsx'
import { moment } from '../parts/format.ts'
import { VisibleText } from '../text/visible-text.tsx'
import { CopyButton } from './copy-button.tsx'
import { EditMessage } from './edit-message.tsx'
import { Files } from './files.tsx'

const LONG_CHARS = 3000
const LONG_LINES = 30

/** What a person said. */
export function UserMessage({
  sessionId,
  round,
  isDeleted,
}: {
  sessionId: string
  round: RoundPicture
  isDeleted: boolean
}) {
  const [isEditing, setEditing] = useState(false)
  const { user, begun } = round
  if (!user) return null
  const text = textOf(user.content)
  const files = user.content.filter((part): part is FilePart => part.type === 'file')
  return (
    <article className="conv-message" data-item data-seq={user.seq} tabIndex={-1} aria-label="You">
      <header className="conv-who">
        <h2>You</h2>
        {begun?.mode === 'plan' && <span className="conv-chip">plan</span>}
        <time className="conv-when" dateTime={new Date(user.at).toISOString()}>
          {moment(user.at)}
        </time>
        {!isEditing && !isDeleted && (
          <span className="conv-actions">
            <IconButton label="Edit" icon="edit" className="conv-edit" onClick={() => setEditing(true)} />
            <CopyButton label="Copy message" text={() => text} />
          </span>
        )}
      </header>
      {isDeleted ? (
        <p className="conv-quiet">This message was deleted.</p>
      ) : isEditing ? (
        <EditMessage
          sessionId={sessionId}
          forkAt={(begun?.seq ?? user.seq) - 1}
          text={text}
          files={files}
          done={() => setEditing(false)}
        />
      ) : (
        <UserText text={text} />
      )}
      {!isDeleted && <Files sessionId={sessionId} files={files} />}
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
        <button type="button" className="conv-fold" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length} characters`}
        </button>
      )}
    </>
  )
}
