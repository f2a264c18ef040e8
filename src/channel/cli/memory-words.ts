import type { Client, OwnMemory } from '../../client/index.ts'
import { visible } from '../../lib/visible.ts'

export const OFF = 'Memory is off, so nothing is noted or used: segno preferences set --memory on'

export function memoryLine({ id, status, category, importance, content }: OwnMemory): string {
  const state = status === 'active' ? '' : `${status}  `
  return `${id}  ${state}${visible(content)}  (${category}, importance ${importance})`
}

const METHODS = { tool: 'noted by a model', tag: 'noted by a model in its answer', user: 'written by you' } as const

/** All of it, and where it came from. */
export function memoryText(memory: OwnMemory): string {
  const { id, status, method, sessionId, eventId, supersedes, createdAt } = memory
  return [
    memoryLine(memory),
    `  ${METHODS[method]}, ${createdAt}`,
    ...(sessionId === undefined ? [] : [`  from the conversation ${sessionId}: segno sessions show tells all of it`]),
    ...(eventId === undefined ? [] : [`  from your message ${eventId}`]),
    ...(supersedes === undefined ? [] : [`  instead of ${supersedes}`]),
    ...(status === 'proposed' ? [`  unused until you say: segno memories keep ${id}`] : []),
  ].join('\n')
}

const MOST = 50

/** What is remembered, for the middle of a conversation. */
export async function memoriesText(client: Client): Promise<string> {
  const all = await client.listAll<OwnMemory>('/api/memories?', MOST + 1)
  const { allowMemory } = await client.preferences()
  return [
    ...all.slice(0, MOST).map(memoryLine),
    ...(all.length > MOST ? ['…'] : []),
    ...(all.length === 0 ? ['Nothing is remembered of you.'] : []),
    allowMemory === true ? 'Change them with: segno memories' : OFF,
  ].join('\n')
}
