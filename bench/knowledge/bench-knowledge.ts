import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '../../src/lib/id.ts'
import type { Store } from '../../src/store/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import type { Place } from '../place.ts'
import { compare, inMs, type Line } from '../report.ts'
import { interleave, spreadOf } from '../sampling.ts'
import { bareIndex } from './bare-index.ts'
import { chunk, DIMENSIONS, QUESTIONS, randomVector } from './generated.ts'
import { holding, watchMemory } from './holding.ts'

const MODEL = `generated:${DIMENSIONS}`
const IN_A_DOCUMENT = 5000
const AT_ONCE = 64
const LIMIT = 20
const HOLD_MS = 10
const MEMORY_MB = 300

/**
 * Searching published chunks by words and vectors, next to the same two queries on a copy of the same index without
 * Segno; and how long the main thread is held at most by searching, storing, publishing and deleting.
 */
export async function benchKnowledge(place: Place, chunks: number, samples: number): Promise<Line[]> {
  const folder = place.folder('knowledge')
  const file = join(folder, 'segno.db')
  let store = openSqliteStore({ file, durability: 'normal' })
  const documents = chunks / IN_A_DOCUMENT
  const idle = await holding(() => new Promise((resolve) => setTimeout(resolve, 1000)))
  const memory = watchMemory()
  const built: number[] = []
  for (let i = 0; i < documents; i++) built.push(...(await publish(store)))
  const grown = memory()
  // The last pages leave the write-ahead log, so that the copy is whole.
  await store.close()
  copyFileSync(`${file}-knowledge`, join(folder, 'bare.db'))
  store = openSqliteStore({ file, durability: 'normal' })
  const bare = bareIndex(join(folder, 'bare.db'))
  // The first search waits for the comparison of the index with the file.
  await store.search({ tenant: 'acme', workspaceIds: ['system'], words: 'first', limit: 1 })

  let asked = 0
  let question = QUESTIONS[0] as string
  let vector = randomVector()
  const search = (store: Store) =>
    store.search({
      tenant: 'acme',
      workspaceIds: ['system'],
      words: question,
      vector: { model: MODEL, values: vector },
      limit: LIMIT,
    })
  const ask = (run: () => unknown) => ({
    prepare: async () => {
      question = QUESTIONS[Math.floor(asked++ / 2) % QUESTIONS.length] as string
      vector = randomVector()
    },
    run: async () => void (await run()),
  })
  const [ours, theirs] = await interleave(
    [ask(() => search(store)), ask(() => bare.search(question, vector, LIMIT))],
    samples,
    2,
  )
  bare.close()

  const searched: number[] = []
  for (let i = 0; i < samples; i++) searched.push(await holding(() => search(store)))
  const together = await holding(() => Promise.all(Array.from({ length: 8 }, () => search(store))))
  const [one] = (await store.documents({ tenant: 'acme', limit: 1 })).items
  const erased = await holding(() => store.deleteDocument(one?.id ?? ''))
  await store.close()

  const n = chunks.toLocaleString('en')
  const held = (what: string, ms: readonly number[]): Line => {
    const longest = Math.max(...ms)
    const aim = { text: `≤ ${HOLD_MS} ms`, reached: longest <= HOLD_MS }
    const name = `the longest turn of the main thread while ${what}, next to one that does nothing`
    return { name, segno: inMs(spreadOf([longest])), floor: inMs(spreadOf([idle])), ratio: longest / idle, aim }
  }
  return [
    compare(`a search of ${n} chunks by words and vectors, next to its bare queries`, ours, theirs, 2),
    held(`${n} chunks are searched`, searched),
    held(`8 searches of ${n} chunks come at once`, [together]),
    held(`${n} chunks are stored with vectors and published`, built),
    held(`a document of ${IN_A_DOCUMENT} chunks is erased`, [erased]),
    {
      name: `memory while ${n} chunks are stored and published`,
      segno: `${grown.toFixed(0)} MB`,
      floor: `${((chunks * DIMENSIONS * 4) / 1e6).toFixed(0)} MB of vectors`,
      ratio: grown / ((chunks * DIMENSIONS * 4) / 1e6),
      aim: { text: `≤ ${MEMORY_MB} MB`, reached: grown <= MEMORY_MB },
    },
  ]
}

/** The longest turns of each step; what makes the words and vectors does not count. */
async function publish(store: Store): Promise<number[]> {
  const id = newId()
  const about = { title: 'Generated', contentType: 'text/plain', author: 'ada', hash: id, bytes: 1, createdAt: 1 }
  const chunks = Array.from({ length: IN_A_DOCUMENT }, chunk)
  const longest = [
    await holding(() => store.putDocument({ id, tenant: 'acme', workspaceId: 'system', ...about }, chunks)),
  ]
  for (let waiting = await store.unembedded(MODEL, AT_ONCE); waiting.length > 0;) {
    const vectors = waiting.map((each) => ({ ...each, vector: randomVector() }))
    longest.push(await holding(() => store.putVectors(MODEL, vectors)))
    waiting = await store.unembedded(MODEL, AT_ONCE)
  }
  await store.changeDocument(id, 1, { status: 'approved' }, 2)
  longest.push(await holding(() => store.publishDocument(id, 2, { at: 3 })))
  return longest
}
