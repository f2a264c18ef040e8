import { useLayoutEffect, useRef, useState } from 'react'
import type { FilePart } from '../../../src/contract/message.ts'
import type { Mode } from '../../../src/contract/outcome.ts'
import { Button } from '../parts/button.tsx'
import { isComposing } from '../parts/is-composing.ts'
import { changeDraft, dropDraft, editBoxOf, isWished } from './drafts.ts'
import { fetchFile } from './files.tsx'
import { post } from './outbox.ts'
import { toBase64 } from './read-files.ts'
import { attempt } from './trouble.ts'
import type { NewFile, Place } from './unsent.ts'

/** Boxes whose message is being made ready. */
const leaving = new Set<string>()

/** An earlier message said in another way. What came after it stays where it is: it goes into a fork. */
export function EditMessage({
  sessionId,
  forkAt,
  draft,
  files,
  mode,
  cancel,
}: {
  sessionId: string
  forkAt: number
  draft: string
  files: readonly FilePart[]
  /** that of the message as it was */
  mode: Mode
  cancel: () => void
}) {
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
    if (!isWished(place)) return
    field.current?.focus({ preventScroll: true })
    field.current?.setSelectionRange(draft.length, draft.length)
  })
  return (
    <div className="conv-edit-box">
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
      <div className="conv-row">
        <Button kind="primary" icon="fork" disabled={isSending} onClick={() => void send()}>
          Send as a fork
        </Button>
        <Button onClick={cancel}>Cancel</Button>
        <small className="muted">The answer goes into a new conversation; this one stays as it is.</small>
      </div>
    </div>
  )
}

/** Sends something again that was said before; its files are fetched, for the server takes bytes. */
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
