import type { Client } from '../../../../src/client/index.ts'
import { clientOver, wordsOf } from '../../api/client.ts'
import { sendWithProgress } from '../../api/send-with-progress.ts'
import { bytes } from '../../parts/format.ts'
import { newKey } from '../../conversation/unsent.ts'
import { changed, refresh } from '../../state/polled.ts'
import { createStore } from '../../state/store.ts'
import { DOCUMENTS, pathOf } from './document-api.ts'
import type { Doc } from './document.ts'

/** Where a file goes: to a workspace as a new document, or as the next version of one. */
export type UploadTo = { readonly workspaceId: string } | { readonly documentId: string; readonly revision: number }

/** A file on its way. */
export interface Upload {
  /** the same for every attempt, so that it becomes one document */
  readonly key: string
  readonly file: File
  readonly to: UploadTo
  /** bytes that it may have; the server would not read more to say so */
  readonly most: number
  readonly state: 'waiting' | 'sending' | 'done' | 'failed'
  /** bytes that have gone; when all have, the server reads the document */
  readonly sent: number
  readonly document?: Doc
  readonly problem?: string
}

/** Goes on while other pages are shown. */
export const uploads = createStore<readonly Upload[]>([])

/** `most`: bytes that a document may have. */
export function upload(files: readonly File[], to: UploadTo, most: number): void {
  const added = files.map((file) => begun({ key: newKey(), file, to, most }))
  uploads.set([...uploads.get(), ...added])
  void pump()
}

export function tryAgain(one: Upload): void {
  change(one.key, begun(one))
  void pump()
}

/** One that is too large never leaves. */
function begun(one: Pick<Upload, 'key' | 'file' | 'to' | 'most'>): Upload {
  const { size } = one.file
  if (size <= one.most) return { ...one, state: 'waiting', sent: 0 }
  const problem = `It has ${bytes(size)}; a document may have ${bytes(one.most)}. Cut it into parts.`
  return { ...one, state: 'failed', sent: 0, problem }
}

/** Forgets those that need no more looking at. */
export const forgetEnded = (): void => uploads.set(uploads.get().filter(({ state }) => !/done|failed/.test(state)))

function change(key: string, changes: Partial<Upload>): void {
  uploads.set(uploads.get().map((one) => (one.key === key ? { ...one, ...changes } : one)))
}

/** One after the other: reading a document takes a while, and the server reads few at once. */
async function pump(): Promise<void> {
  const all = uploads.get()
  const next = all.find(({ state }) => state === 'waiting')
  if (!next || all.some(({ state }) => state === 'sending')) return
  change(next.key, { state: 'sending' })
  try {
    const document = await send(next)
    change(next.key, { state: 'done', document })
    changed(pathOf(document.id), document)
    refresh(DOCUMENTS)
  } catch (error) {
    change(next.key, { state: 'failed', problem: wordsOf(error) })
  }
  void pump()
}

function send({ key, file, to }: Upload): Promise<Doc> {
  const form = new FormData()
  // What is larger than the file is the form around it.
  const told = (sent: number): void => change(key, { sent: Math.min(sent, file.size) })
  const client: Client = clientOver((url, init) => sendWithProgress(url, init, told))
  const isNew = 'workspaceId' in to
  if (isNew) form.append('workspaceId', to.workspaceId)
  else form.append('revision', String(to.revision))
  form.append('file', file)
  return isNew
    ? client.requestJson<Doc>('POST', DOCUMENTS, { form, idempotencyKey: key })
    : client.requestJson<Doc>('PATCH', pathOf(to.documentId), { form })
}
