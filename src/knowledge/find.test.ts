import { expect, test } from 'vitest'
import type { Passage } from '../contract/knowledge.ts'
import type { KnowledgeStore } from '../store/index.ts'
import { createFind } from './find.ts'

const passage: Passage = { documentId: 'd', version: 1, chunk: 0, title: 'Leave', place: 'part 1', text: '14 weeks' }
const vector = { model: 'm', values: new Float32Array([1]) }
const never = new Promise<never>(() => {})

/** Its search by words never ends. */
const store = (byMeaning: readonly Passage[]): Pick<KnowledgeStore, 'search' | 'hasVectors'> => ({
  hasVectors: true,
  search: async ({ words }) =>
    words === '' ? { byWords: [], byMeaning: byMeaning.map((one) => ({ ...one, similarity: 1 })) } : never,
})
const search = (byMeaning: readonly Passage[]) =>
  createFind(store(byMeaning), { vectorOf: async () => vector, retrievalMs: 20 })({
    tenant: 'acme',
    workspaceIds: ['system'],
    text: 'leave',
    limit: 5,
  })

test('what is found by meaning is used if words take too long', async () => {
  expect(await search([passage])).toMatchObject([passage])
})

test('a search that took too long does not say that there is nothing', async () => {
  await expect(search([])).rejects.toMatchObject({ code: 'TIMEOUT' })
})
