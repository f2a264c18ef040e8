import { client } from '../../api/client.ts'
import { changed, refresh } from '../../state/polled.ts'
import { takeStepOf } from '../take-step.ts'
import type { Doc, Step } from './document.ts'

export const DOCUMENTS = '/api/knowledge'

export const pathOf = (id: string): string => `${DOCUMENTS}/${encodeURIComponent(id)}`

export const takeStep = (seen: Doc, step: Step, reason?: string): Promise<void> =>
  takeStepOf(DOCUMENTS, seen, step, reason)

export async function renameDocument({ id, revision }: Doc, title: string): Promise<void> {
  changed(pathOf(id), await client.requestJson<Doc>('PATCH', pathOf(id), { body: { title, revision } }))
  refresh(DOCUMENTS)
}

/** Whoever shows it goes elsewhere, where everything is read again. */
export const deleteDocument = (id: string): Promise<void> => client.requestEmpty('DELETE', pathOf(id))
