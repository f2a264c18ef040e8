import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import type { Passage } from '../../../src/contract/knowledge.ts'
import { fuse, type Fusion } from '../../../src/knowledge/find-fused.ts'
import { readDocument } from '../../../src/knowledge/parse/read-document.ts'
import type { Embedder } from '../../../src/model/embedding/index.ts'
import { chunkKey, type KnowledgeStore } from '../../../src/store/index.ts'
import { LIMITS } from './documents.ts'

export interface Question {
  readonly question: string
  /** where its answer stands */
  readonly file: string
  readonly heading: string
  /** none of its important words is in the answer */
  readonly paraphrased: boolean
}

/** Written before anything was searched. */
export const QUESTIONS = JSON.parse(
  readFileSync(new URL('../questions.json', import.meta.url), 'utf8'),
) as readonly Question[]

/** Where undici's package is, which brings its documents. */
const ROOT = dirname(createRequire(import.meta.url).resolve('undici/package.json'))
const SCOPE = { tenant: 'acme', workspaceId: 'system' }

export const documentFiles = (): string[] =>
  readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((file) => join(ROOT, 'docs', file))
    .filter((file) => file.endsWith('.md'))
    .map((file) => relative(ROOT, file).replaceAll('\\', '/'))
    .sort()

/** Publishes files of the package in a store, as an import would. */
export async function publishFiles(store: KnowledgeStore, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const bytes = readFileSync(join(ROOT, file))
    const job = { type: 'text/markdown', unpackedBytes: 0, chars: LIMITS.chars, chunks: LIMITS.chunks } as const
    const chunks = await readDocument(bytes, job)
    const title = file.replace(/^docs\/docs\/|\.md$/g, '')
    const about = { id: file, ...SCOPE, title, contentType: job.type, author: 'ada', hash: file, createdAt: 1 }
    const made = await store.putDocument({ ...about, bytes: bytes.length }, chunks)
    if ('kind' in made) throw new Error('it is stored already')
    const approved = await store.changeDocument(file, made.revision, { status: 'approved' }, 2)
    await store.publishDocument(file, approved?.revision ?? 0, { at: 3 })
  }
}

/** Embeds everything as Segno does in the background. */
export async function embedAll(store: KnowledgeStore, { key, embed }: Embedder): Promise<number> {
  let count = 0
  for (;;) {
    const chunks = await store.unembedded(key, 32)
    if (chunks.length === 0) return count
    const vectors = await embed(chunks.map(({ place, text }) => `${place}\n${text}`))
    await store.putVectors(
      key,
      chunks.flatMap((chunk, at) => (vectors[at] ? [{ ...chunk, vector: vectors[at] }] : [])),
    )
    count += chunks.length
  }
}

export interface Asked extends Question {
  readonly byWords: readonly Passage[]
  readonly byMeaning: readonly (Passage & { readonly similarity: number })[]
}

/** What each search finds for each question, as `find.ts` asks for it. */
export async function askAll(store: KnowledgeStore, { key, embed }: Embedder, questions: readonly Question[]) {
  const asked: Asked[] = []
  for (const question of questions) {
    const [values] = await embed([question.question])
    if (!values) throw new Error('no vector')
    const query = { tenant: SCOPE.tenant, workspaceIds: [SCOPE.workspaceId], limit: 50 }
    const { byWords } = await store.search({ ...query, words: question.question })
    const { byMeaning } = await store.search({ ...query, words: '', vector: { model: key, values } })
    asked.push({ ...question, byWords, byMeaning })
  }
  return asked
}

/** Pairs of a literal and a paraphrased question go to the two halves in turns. */
export const half = <T>(all: readonly T[], which: 0 | 1): T[] => all.filter((_, at) => (at >> 1) % 2 === which)

export interface Quality {
  /** how often a right passage is among the first five */
  readonly recall: number
  /** the mean of one by the rank of the first right passage */
  readonly mrr: number
}

export function qualityOf(asked: readonly Asked[], listOf: (one: Asked) => readonly Passage[]): Quality {
  const ranks = asked.map((one) => listOf(one).findIndex((found) => isRight(found, one)))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    recall: mean(ranks.map((rank) => (rank >= 0 && rank < 5 ? 1 : 0))),
    mrr: mean(ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1)))),
  }
}

export const byWords = ({ byWords: found }: Asked): readonly Passage[] => found
export const byMeaning = ({ byMeaning: found }: Asked): readonly Passage[] => found
export const byBoth =
  (fusion?: Fusion) =>
  (one: Asked): readonly Passage[] =>
    fuse<Passage>(one, chunkKey, 50, fusion)

/** In the right file, under the right heading or below it. */
function isRight({ documentId, place }: Passage, { file, heading }: Question): boolean {
  return documentId === file && place.split(' › ').map(plain).includes(plain(heading))
}

const plain = (heading: string): string => heading.replaceAll(/[`*_\\]|\s/g, '').toLowerCase()
