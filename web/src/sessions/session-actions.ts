import type { Session, SessionChanges } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { saveFile } from '../parts/save-file.ts'
import { goTo, routeStore } from '../state/route.ts'
import { refresh } from '../state/polled.ts'

/** Actions on a whole conversation. Each throws an `ApiProblem` if the server refuses. */

export async function changeSession(id: string, changes: SessionChanges): Promise<void> {
  await client.changeSession(id, changes)
  refresh('/api/sessions')
}

/** A new conversation that shares everything up to event `seq`; the page goes there. */
export async function forkSession(id: string, seq: number): Promise<void> {
  const fork = await client.forkSession(id, { seq })
  refresh('/api/sessions')
  goTo({ page: 'session', id: fork.id })
}

/** Asks for a summary of what was said so far, for the model; the log tells what comes of it. */
export async function compactSession(id: string): Promise<void> {
  await client.request('POST', `/api/sessions/${encodeURIComponent(id)}/compact`)
}

export async function deleteSession(id: string): Promise<void> {
  await client.deleteSession(id)
  refresh('/api/sessions')
  const route = routeStore.get()
  if (route.page === 'session' && route.id === id) goTo({ page: 'new' })
}

/** Saves a conversation as a file. */
export async function exportSession({ id, title }: Session, as: 'markdown' | 'jsonl'): Promise<void> {
  const response = await client.exportSession(id, as)
  saveFile(await response.blob(), `${fileName(title)}.${as === 'markdown' ? 'md' : 'jsonl'}`)
}

const fileName = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'conversation'
