import { useLayoutEffect, useRef, useState } from 'react'
import type { FilePart } from '../../../src/contract/message.ts'
import type { Mode } from '../../../src/contract/outcome.ts'
import { Button } from '../parts/button.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { useSession } from '../state/session.ts'
import { changeDraft, dropDraft, editBoxOf, takesFocus } from './drafts.ts'
import { fetchFile } from './files.tsx'
import { post } from './outbox.ts'
import { toBase64 } from './read-files.ts'
import { attempt } from './trouble.ts'
import type { NewFile, Place } from './unsent.ts'

/** Boxes whose message is being sent. */
const leaving = new Set<string>()

interface EditMessageProps {
  readonly forkAt: number
  readonly draft: string
  readonly files: readonly FilePart[]
  /** the mode of the original message */
  readonly mode: Mode
  readonly cancel: () => void
}

/** Edits an earlier message; the new version goes into a fork, and this conversation stays as it is. */
export function EditMessage({ forkAt, draft, files, mode, cancel }: EditMessageProps) {
  const { id: sessionId } = useSession()
  const place = editBoxOf(sessionId, forkAt)
  const field = useRef<HTMLTextAreaElement>(null)
  const [isSending, setSending] = useState(false)
  const send = async (): Promise<void> => {
    if ((draft.trim() === '' && files.length === 0) || leaving.has(place)) return
    leaving.add(place)
    setSending(true)
    const to: Place = { kind: 'fork', sessionId, seq: forkAt }
    if (await attempt(postAgain(sessionId, to, forkAt, draft, files, mode))) dropDraft(place)
    leaving.delete(place)
    setSending(false)
  }
  useLayoutEffect(() => {
    if (!takesFocus(place)) return
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(draft.length, draft.length)
  })
  return (
    <div className="column">
      <textarea
        ref={field}
        className="input"
        aria-label="Edit your message"
        rows={Math.min(12, Math.max(2, draft.split('\n').length))}
        value={draft}
        onChange={(event) => changeDraft(place, { text: event.target.value })}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          if (event.key === 'Escape') {
            event.stopPropagation()
            cancel()
          } else if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            void send()
          }
        }}
      />
      <div className="row wrap">
        <Button kind="primary" icon="fork" disabled={isSending} onClick={() => void send()}>
          Send as a fork
        </Button>
        <Button onClick={cancel}>Cancel</Button>
        <small>The answer goes into a new conversation; this one stays as it is.</small>
      </div>
    </div>
  )
}

/** Sends an earlier message again, with its files, which have to be fetched first. */
export async function postAgain(
  sessionId: string,
  place: Place,
  after: number,
  text: string,
  files: readonly FilePart[],
  mode: Mode,
): Promise<void> {
  const again = files.map(async (file): Promise<NewFile> => {
    const content = new Uint8Array(await (await fetchFile(sessionId, file)).arrayBuffer())
    return { name: file.name ?? 'file', mediaType: file.mediaType, data: toBase64(content), bytes: content.length }
  })
  post({ place, text, files: await Promise.all(again), mode, onBusy: 'queue', after })
}
