import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Document } from '../../src/contract/knowledge.ts'
import type { Store } from '../../src/store/index.ts'
import {
  chunksOf,
  embed,
  MODEL,
  OTHER_MODEL,
  otherVectorOf,
  vectorOf,
  wordOf,
} from '../knowledge/support/fill-store.ts'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf, STORE } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { throwDice } from './dice.ts'

const CHILD = fileURLToPath(new URL('knowledge-child.ts', import.meta.url))

/** Each with how long it may go on at most before the process is killed. */
const STEPS = {
  putting: 25,
  embedding: 40,
  publishing: 40,
  changing: 25,
  'publishing again': 60,
  'embedding anew': 60,
  deleting: 60,
  mending: 120,
}
type Step = keyof typeof STEPS

/** Lives on a home until it takes a step, and a little longer; returns how it ended. */
async function killedWhile(step: Step, home: string, first: number, afterMs: number): Promise<unknown> {
  const child = spawn(process.execPath, ['--conditions=segno-source', CHILD, home, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith(`${step} `)) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  return exit
}

const sourceOf = ({ source = '' }: Document): string => source

/** What is found of a document, all of it, in the order of its chunks. */
async function foundOf(
  store: Store,
  document: Document,
  model = MODEL,
  vector: typeof otherVectorOf = vectorOf,
): Promise<{ words: string[]; meaning: string[] }> {
  const { byWords, byMeaning } = await store.search({
    tenant: 'acme',
    workspaceIds: ['system'],
    words: wordOf(sourceOf(document)),
    ...(store.hasVectors && { vector: { model, values: vector({ place: '', text: 'rule' }) } }),
    limit: 2000,
  })
  const textsOf = (found: typeof byWords): string[] =>
    found
      .filter(({ documentId }) => documentId === document.id)
      .sort((one, other) => one.chunk - other.chunk)
      .map(({ text }) => text)
  return { words: textsOf(byWords), meaning: textsOf(byMeaning) }
}

/** Each document is whole in its step, and what is found of it is one version, whole and once. */
async function expectSound(store: Store): Promise<number> {
  const { items } = await store.documents({ tenant: 'acme', limit: 1000 })
  expect(new Set(items.map(sourceOf)).size).toBe(items.length)
  const published = (await store.outbox(0, 10_000)).map(({ payload }) => payload['documentId'])
  for (const document of items) {
    const { id, version, publishedVersion } = document
    for (let each = 1; each <= version; each++) {
      const texts = (await store.chunks(id, each, { limit: 1000 })).items.map(({ text }) => text)
      expect(texts).toEqual(chunksOf(sourceOf(document), each).map(({ text }) => text))
    }
    expect(published.filter((one) => one === id)).toHaveLength(publishedVersion ?? 0)
    const wanted =
      publishedVersion === undefined ? [] : chunksOf(sourceOf(document), publishedVersion).map(({ text }) => text)
    const isFresh = (texts: string[]): boolean => texts.every((text) => wanted.includes(text))
    const early = await foundOf(store, document)
    expect([...early.words, ...early.meaning].filter((text) => !wanted.includes(text))).toEqual([])
    expect([early.words, early.meaning].map(isFresh)).toEqual([true, true])
    await expect.poll(async () => (await foundOf(store, document)).words).toEqual(wanted)
  }
  const all = items.flatMap((one) =>
    Array.from({ length: one.version }, (_, i) => chunksOf(sourceOf(one), i + 1).length),
  )
  expect((await store.embedded(MODEL)).all).toBe(all.reduce((sum, n) => sum + n, 0))
  expect(await store.check()).toMatchObject({ ok: true, findings: [] })
  if (STORE === 'sqlite') await expectNothingLeft(store)
  return items.length
}

/** Chunks that were stored, and that no version came to name, are erased. */
async function expectNothingLeft(store: Store): Promise<void> {
  await store.compact()
  const file = join(tempFolder(), 'copy.db')
  await store.backup(file)
  const db = new DatabaseSync(file)
  const left =
    db.prepare(`SELECT (SELECT count(*) FROM chunks) - (SELECT coalesce(sum(chunks), 0) FROM document_versions) AS chunks,
    (SELECT count(*) FROM bodies WHERE num NOT IN (SELECT body FROM document_versions)) AS bodies`)
  expect({ ...left.get() }).toEqual({ chunks: 0, bodies: 0 })
  db.close()
}

/** Going on with the other model ends with its vectors alone, each once and found. */
async function expectEmbeddedAnew(store: Store): Promise<void> {
  await embed(store, otherVectorOf, OTHER_MODEL)
  await store.keepVectorsOf(OTHER_MODEL)
  const { done, all } = await store.embedded(OTHER_MODEL)
  expect([done, (await store.embedded(MODEL)).done]).toEqual([all, 0])
  if (!store.hasVectors) return
  for (const document of (await store.documents({ tenant: 'acme', limit: 1000 })).items) {
    const { words, meaning } = await foundOf(store, document, OTHER_MODEL, otherVectorOf)
    expect(meaning).toEqual(words)
  }
}

for (const step of Object.keys(STEPS) as Step[])
  verifies(
    ['GOV-19', 'REL-1'],
    `documents are never half there, nor twice, if the process is killed while ${step}`,
    async () => {
      const home = tempFolder()
      const dice = throwDice(step.length)
      let first = 0
      for (let kill = 0; kill < 3; kill++) {
        const index = join(home, 'segno.db-knowledge')
        if (step === 'mending' && STORE === 'sqlite') {
          if (kill === 1) rmSync(index, { force: true })
          if (kill === 2) writeFileSync(index, 'damaged '.repeat(1000))
        }
        expect(await killedWhile(step, home, first, dice.between(0, STEPS[step]))).toEqual([null, 'SIGKILL'])
        const store = await openStoreOf(home)
        try {
          await expectSound(store)
          if (step === 'embedding anew') await expectEmbeddedAnew(store)
          const { items } = await store.documents({ tenant: 'acme', limit: 1000 })
          first = Math.max(first, ...items.map((one) => Number(sourceOf(one).replace(/\D/g, ''))))
        } finally {
          await store.close()
        }
      }
    },
  )
