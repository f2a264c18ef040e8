import type { Chunk, Document } from '../../../src/contract/knowledge.ts'
import { newId } from '../../../src/lib/id.ts'
import type { NewDocument, OutboxEvent, Store } from '../../../src/store/index.ts'

export const MODEL = 'numbers:64'
export const OTHER_MODEL = 'longer:96'

const NEW = { tenant: 'acme', workspaceId: 'system', title: 'Rules', contentType: 'text/plain', author: 'ada' }

/** A document as people publish it, straight in the store; its vectors are put before that. */
export async function publish(
  store: Store,
  chunks: readonly Chunk[],
  { vector, ...more }: Partial<NewDocument> & { vector?: (chunk: Chunk) => Float32Array } = {},
): Promise<Document> {
  const id = newId()
  const given = { ...NEW, hash: id, bytes: 1, createdAt: 1, id, ...more }
  await store.putDocument(given, chunks)
  if (vector) await embed(store, vector)
  await store.changeDocument(given.id, 1, { status: 'approved' }, 2)
  const document = await store.publishDocument(given.id, 2, { at: 3 })
  if (!document) throw new Error('it was not published')
  return document
}

export async function embed(store: Store, vector: (chunk: Chunk) => Float32Array, model = MODEL): Promise<void> {
  const waiting = await store.unembedded(model, 100_000)
  await store.putVectors(
    model,
    waiting.map((chunk) => ({ ...chunk, vector: vector(chunk) })),
  )
}

/** Of length 1, and no other has these bytes. */
export function randomVector(dimensions = 64): Float32Array {
  const values = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5)
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

export const newVersion = (chunks: readonly Chunk[]) => ({
  content: { chunks, contentType: 'text/plain', hash: newId(), bytes: 1, author: 'ada' },
})

/** Enough to take a while. Each says whose it is, and nothing else does. */
export const chunksOf = (source: string, version: number): Chunk[] =>
  Array.from({ length: 150 + version }, (_, i) => ({
    place: `Part ${i}`,
    text: `${wordOf(source)} ${wordOf(source)}v${version} says rule ${i}. ${'It goes on. '.repeat(20)}`,
  }))

export const wordOf = (source: string): string => source.replaceAll(/[^a-z0-9]/g, '')

/** Of any text the same. */
export function vectorOf({ text }: Chunk, dimensions = 64): Float32Array {
  const hash = Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 1_000_003, 7)
  const values = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(hash * (i + 1)))
  const length = Math.hypot(...values)
  return values.map((value) => value / length)
}

export const otherVectorOf = (chunk: Chunk): Float32Array => vectorOf(chunk, 96)

export const publishedEvent = (documentId: string): OutboxEvent => ({
  id: newId(),
  type: 'knowledge.published',
  tenant: 'acme',
  at: 1,
  payload: { documentId },
})
