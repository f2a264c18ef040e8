import type { OwnMemory } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { saveFile } from '../parts/save-file.ts'
import { refresh } from '../state/polled.ts'

export type Memory = OwnMemory
export type Written = Pick<Memory, 'content' | 'category' | 'importance'>

export const MEMORIES = '/api/memories'

const pathOf = ({ id }: Memory): string => `${MEMORIES}/${encodeURIComponent(id)}`

/** Whatever came of it, what is shown is read again. */
async function thenRefresh(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } finally {
    refresh(MEMORIES)
  }
}

export const addMemory = (body: Written): Promise<void> => thenRefresh(client.requestJson('POST', MEMORIES, { body }))

export const changeMemory = (seen: Memory, changes: Partial<Written> & { status?: 'active' }): Promise<void> =>
  thenRefresh(client.requestJson('PATCH', pathOf(seen), { body: { ...changes, revision: seen.revision } }))

export const deleteMemory = (memory: Memory): Promise<void> =>
  thenRefresh(client.requestEmpty('DELETE', pathOf(memory)))

export const forgetAll = (): Promise<void> => thenRefresh(client.requestJson('DELETE', MEMORIES))

export async function exportMemories(): Promise<void> {
  const response = await client.request('GET', `${MEMORIES}/export`)
  saveFile(await response.blob(), 'memories.json')
}
