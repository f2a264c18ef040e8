import { ask, request } from '../api/client.ts'
import type { Session } from '../api/shapes.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { saveFile } from '../parts/save-file.ts'
import { goTo, routeStore } from '../state/route.ts'
import { refresh } from '../state/polled.ts'

/** What can be done with a conversation as a whole. Each throws an `ApiProblem` where the server refuses. */

const pathOf = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`

export interface SessionChanges {
  readonly title?: string
  readonly archived?: boolean
  /** null: what is standard */
  readonly model?: string | null
  readonly protocol?: Protocol | null
}

export async function changeSession(id: string, changes: SessionChanges): Promise<void> {
  await ask('PATCH', pathOf(id), changes)
  refresh('/api/sessions')
}

/** A new conversation that shares everything up to event `seq`; the page goes there. */
export async function forkSession(id: string, seq: number, title?: string): Promise<Session> {
  const fork = await ask<Session>('POST', `${pathOf(id)}/fork`, { seq, ...(title !== undefined && { title }) })
  refresh('/api/sessions')
  goTo({ page: 'session', id: fork.id })
  return fork
}

export async function clearContext(id: string): Promise<void> {
  await ask('POST', `${pathOf(id)}/clear`)
}

export async function deleteSession(id: string): Promise<void> {
  await ask('DELETE', pathOf(id))
  refresh('/api/sessions')
  const route = routeStore.get()
  if (route.page === 'session' && route.id === id) goTo({ page: 'new' })
}

export async function cancelRound(requestId: string): Promise<void> {
  await ask('POST', `/api/rounds/${encodeURIComponent(requestId)}/cancel`)
}

/** Saves a conversation as a file. */
export async function exportSession({ id, title }: Session, as: 'markdown' | 'jsonl'): Promise<void> {
  const response = await request('GET', `${pathOf(id)}/export?as=${as}`)
  saveFile(await response.blob(), `${fileName(title)}.${as === 'markdown' ? 'md' : 'jsonl'}`)
}

const fileName = (title: string): string =>
  title
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'conversation'
