import { useState } from 'react'
import type { FilePart } from '../../../src/contract/message.ts'
import type { Mode } from '../../../src/contract/outcome.ts'
import { Button } from '../parts/button.tsx'
import { fetchFile } from './files.tsx'
import { post } from './outbox.ts'
import { toBase64 } from './read-files.ts'
import { attempt } from './trouble.ts'
import { titleOf, type NewFile, type Place } from './unsent.ts'

/** An earlier message said in another way. What came after it stays where it is: it goes into a fork. */
export function EditMessage({
  sessionId,
  forkAt,
  text,
  files,
  done,
}: {
  sessionId: string
  forkAt: number
  text: string
  files: readonly FilePart[]
  done: () => void
}) {
  const [draft, setDraft] = useState(text)
  const [isSending, setSending] = useState(false)
  const send = async (): Promise<void> => {
    if (draft.trim() === '' && files.length === 0) return
    setSending(true)
    const place: Place = forkAt >= 1 ? { kind: 'fork', sessionId, seq: forkAt } : { kind: 'new', title: titleOf(draft) }
    if (await attempt(postAgain(sessionId, place, forkAt, draft, files))) done()
    setSending(false)
  }
  return (
    <div className="conv-edit-box">
      <textarea
        className="input"
        aria-label="Edit your message"
        rows={Math.min(12, Math.max(2, draft.split('\n').length))}
        value={draft}
        ref={focusAtEnd}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation()
            done()
          } else if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault()
            void send()
          }
        }}
      />
      <div className="conv-row">
        <Button kind="primary" icon="fork" disabled={isSending} onClick={() => void send()}>
          Send as a fork
        </Button>
        <Button onClick={done}>Cancel</Button>
        <small className="muted">The answer goes into a new conversation; this one stays as it is.</small>
      </div>
    </div>
  )
}

const focusAtEnd = (field: HTMLTextAreaElement | null): void => {
  if (!field) return
  field.focus({ preventScroll: true })
  field.setSelectionRange(field.value.length, field.value.length)
}

/** Sends something again that was said before; its files are fetched, for the server takes bytes. */
export async function postAgain(
  sessionId: string,
  place: Place,
  after: number,
  text: string,
  files: readonly FilePart[],
  mode: Mode = 'act',
): Promise<void> {
  const again = files.map(async (file): Promise<NewFile> => {
    const content = new Uint8Array(await (await fetchFile(sessionId, file)).arrayBuffer())
    return { name: file.name ?? 'file', mediaType: file.mediaType, data: toBase64(content), bytes: content.length }
  })
  post({ place, text, files: await Promise.all(again), mode, onBusy: 'queue', after })
}
