import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Chunk } from '../../src/contract/knowledge.ts'
import { newId } from '../../src/lib/id.ts'
import type { NewMemory, Store } from '../../src/store/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { tempFolder } from '../adapters/sqlite/temp-folder.ts'
import { verifies } from '../support/verifies.ts'
import { embed, newVersion, publish, randomVector } from './support/fill-store.ts'

/** In the words of what is erased, and nowhere else; at the end of a word too, because words are kept by beginnings. */
const CANARY = 'canary'

/** Part of a vector as it is in files, long enough to be there by no chance. */
const patternOf = (vector: Float32Array, at: number): Buffer => Buffer.from(vector.slice(at, at + 4).buffer)

/** How often a home has each of these bytes. Another process reads it: closing a file here would drop its locks. */
function found(home: string, patterns: readonly (string | Buffer)[]): number {
  const files = readdirSync(home).map((name) =>
    execFileSync('cat', [join(home, name)], { maxBuffer: 2 ** 30, stdio: ['ignore', 'pipe', 'inherit'] }),
  )
  return patterns.filter((pattern) => files.some((bytes) => bytes.includes(pattern))).length
}

/** Many words that only this text has, so that many of them begin a page of the index. */
const secretText = (document: number, chunk: number): string =>
  Array.from({ length: 100 }, (_, i) => `${CANARY}${(document * 7919 + chunk * 104_729 + i * 1_299_709) % 9_999_991}`)
    .concat(`plainwords and${CANARY} everywhere`)
    .join(' ')
const secretChunks = (document: number, length = 40): Chunk[] =>
  Array.from({ length }, (_, i) => ({ place: `${CANARY} place ${i}`, text: secretText(document, i) }))
const plainChunks: Chunk[] = Array.from({ length: 40 }, (_, i) => ({
  place: 'Rules',
  text: `Rule ${i} says ${i * i}.`,
}))

async function compacted(store: Store, home: string): Promise<void> {
  await store.close()
  const again = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
  await again.compact()
  await again.close()
}

describe('what was erased is in no byte of the home folder', () => {
  for (const isOpen of [true, false]) {
    verifies(
      ['GOV-19', 'REL-8'],
      `documents and their vectors, compacted ${isOpen ? 'at once' : 'later'}`,
      async () => {
        const home = tempFolder()
        const store = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
        const vectors: Float32Array[] = []
        const vector = (): Float32Array => vectors[vectors.push(randomVector()) - 1] as Float32Array
        const kept = await publish(store, plainChunks, { vector: () => randomVector() })
        const ids: string[] = []
        for (let i = 0; i < 4; i++) {
          const { id, revision } = await publish(store, secretChunks(i, i === 0 ? 250 : 40), {
            title: `${CANARY} title`,
            vector,
          })
          await store.changeDocument(id, revision, newVersion(secretChunks(i + 10)), 4)
          await embed(store, vector)
          ids.push(id)
        }
        // Drafts that were overwritten are gone too.
        const drafted = await publish(store, plainChunks, { title: 'drafted', vector: () => randomVector() })
        await store.changeDocument(drafted.id, 3, newVersion(secretChunks(20)), 4)
        await embed(store, vector)
        await store.changeDocument(drafted.id, 4, newVersion(plainChunks), 5)

        const patterns = [CANARY, ...vectors.flatMap((each) => [patternOf(each, 0), patternOf(each, 40)])]
        expect(found(home, patterns)).toBeGreaterThan(1)
        for (const id of ids.toReversed()) expect(await store.deleteDocument(id)).toBe(true)
        // The index of words keeps beginnings of some of them until it is compacted, and nothing else.
        expect(found(home, patterns.slice(1))).toBe(0)
        if (isOpen) await store.compact()
        else await compacted(store, home)
        expect(found(home, patterns)).toBe(0)
        if (!isOpen) return
        const { byWords } = await store.search({ tenant: 'acme', workspaceIds: ['system'], words: 'rule', limit: 100 })
        expect(byWords.filter(({ documentId }) => documentId === kept.id)).toHaveLength(40)
        await store.close()
      },
    )
  }

  verifies(['GOV-19', 'REL-8'], 'a long document, as soon as its deletion is over', async () => {
    const home = tempFolder()
    const store = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
    await publish(store, plainChunks)
    const { id } = await publish(store, secretChunks(1, 400))
    expect(found(home, [CANARY])).toBe(1)
    await store.deleteDocument(id)
    expect(found(home, [CANARY])).toBe(0)
    const { byWords } = await store.search({ tenant: 'acme', workspaceIds: ['system'], words: 'rule', limit: 100 })
    expect(byWords).toHaveLength(40)
    await store.close()
  })

  verifies(['GOV-18', 'GOV-19'], 'memories and their vectors, one and all', async () => {
    const home = tempFolder()
    const store = openSqliteStore({ file: join(home, 'segno.db'), durability: 'normal' })
    const vectors = Array.from({ length: 30 }, () => randomVector())
    const memory = (i: number): NewMemory => ({
      id: newId(),
      tenant: 'acme',
      userId: i < 20 ? 'ada' : 'bob',
      content: `${CANARY} ${i} `.repeat(20),
      category: 'fact',
      importance: 3,
      status: 'active',
      method: 'user',
      source: 'user',
      createdAt: 1,
      vector: { model: 'm', values: vectors[i] as Float32Array },
    })
    const memories = vectors.map((_, i) => memory(i))
    for (const each of memories) await store.putMemory(each)
    const patterns = [CANARY, ...vectors.flatMap((each) => [patternOf(each, 0), patternOf(each, 40)])]
    expect(found(home, patterns)).toBe(patterns.length)
    expect(await store.forgetMemories('acme', 'ada')).toBe(20)
    for (const { id } of memories.slice(20)) expect(await store.deleteMemory(id)).toBe(true)
    await store.compact()
    expect(found(home, patterns)).toBe(0)
    await store.close()
  })
})
