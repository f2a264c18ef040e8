import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { bytesOfVector } from '../../src/store/vector-bytes.ts'
import { onSearchedServer } from '../support/postgres/searched-server.ts'
import { verifies } from '../support/verifies.ts'

const AT = { tenant: 'acme', createdAt: 1 }

/** Words of this test alone, such that the server cannot store them any shorter. */
const canary = (about: string): string => `canary${about}${randomBytes(12).toString('hex')}`
const direction = (): Float32Array => Float32Array.from(randomBytes(16), (byte) => byte / 256 - 0.5)

/** Stores a document in three versions and three memories, and returns everything of them that must go. */
async function fill(store: Store): Promise<Record<string, Buffer>> {
  const words = {
    title: canary('title'),
    source: canary('source'),
    reason: canary('reason'),
    place: canary('place'),
    published: canary('published'),
    long: canary('long'),
    draft: canary('draft'),
    overwritten: canary('overwritten'),
    memory: canary('memory'),
    replaced: canary('replaced'),
  }
  const about = { contentType: 'text/plain', author: 'ada', hash: 'h', bytes: 1 }
  const put = { ...AT, ...about, id: 'd', workspaceId: 'w', title: words.title, source: words.source }
  const chunk = (text: string) => ({ place: words.place, text })
  const content = (text: string) => ({ content: { ...about, chunks: [chunk(text)] } })
  await store.putDocument(put, [chunk(words.published), chunk(`${words.long} ${randomBytes(2000).toString('hex')}`)])
  await store.changeDocument('d', 1, { status: 'approved' }, 2)
  await store.publishDocument('d', 2, { at: 3, reason: words.reason })
  await store.changeDocument('d', 3, content(words.overwritten), 4)
  await store.changeDocument('d', 4, { ...content(words.draft), reason: words.reason }, 5)
  const vectors: Float32Array[] = []
  for (const one of await store.unembedded('m', 9)) {
    const vector = direction()
    vectors.push(vector)
    await store.putVectors('m', [{ ...one, vector }])
  }
  const [category, status, method, from] = ['fact', 'active', 'tool', 'ai_extraction'] as const
  const memory = { ...AT, userId: 'ada', category, status, method, source: from, importance: 5 }
  for (const [id, text, more] of [
    ['a', words.replaced, {}],
    ['b', words.memory, { supersedes: 'a' }],
  ] as const) {
    const values = direction()
    vectors.push(values)
    await store.putMemory({ ...memory, ...more, id, content: text, vector: { model: 'm', values } })
  }
  const all = [...Object.entries(words), ...vectors.map((vector, i) => [`vector ${i}`, bytesOfVector(vector)] as const)]
  return Object.fromEntries(all.map(([name, one]) => [name, Buffer.from(one)]))
}

for (const how of ['one by one', 'all memories at once'])
  verifies(
    'GOV-19',
    `nothing of what was deleted is left in any file of the server after VACUUM FULL: ${how}`,
    async () => {
      await onSearchedServer(async ({ store, found, vacuum }) => {
        const canaries = await fill(store)
        expect(await found(canaries)).toEqual(Object.keys(canaries))
        await store.deleteDocument('d')
        if (how === 'one by one') await store.deleteMemory('b')
        else await store.forgetMemories('acme', 'ada')
        await vacuum()
        expect(await found(canaries)).toEqual([])
      })
    },
  )
