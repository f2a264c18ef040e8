import { openSqliteStore } from '../src/store/sqlite/index.ts'
import { FUSION, type Fusion } from '../src/knowledge/find-fused.ts'
import { createBuiltInEmbedder } from '../src/model/embedding/index.ts'
import {
  askAll,
  byBoth,
  byMeaning,
  byWords,
  documentFiles,
  embedAll,
  half,
  publishFiles,
  qualityOf,
  QUESTIONS,
  type Asked,
  type Quality,
} from '../tests/knowledge/support/retrieval-corpus.ts'
import { join } from 'node:path'
import { makePlace } from './place.ts'

/** How well passages are found: weights are chosen on one half of the questions and measured on the other. */
const KS = [1, 2, 3, 5, 10, 20, 60]
const WEIGHTS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1]

const place = makePlace()
try {
  const store = openSqliteStore({ file: join(place.folder('retrieval'), 'segno.db'), durability: 'normal' })
  const embedder = createBuiltInEmbedder()
  const files = documentFiles()
  await publishFiles(store, files)
  const chunks = await embedAll(store, embedder)
  const asked = await askAll(store, embedder, QUESTIONS)
  await store.close()
  const [chosenOn, measuredOn] = [half(asked, 0), half(asked, 1)]
  const best = choose(chosenOn)
  console.log(`${files.length} documents, ${chunks} chunks, ${QUESTIONS.length} questions`)
  console.log(`best on the first half: ${said(best)}; in use: ${said(FUSION)}`)
  table('the half they were chosen on', chosenOn, FUSION)
  table('the other half', measuredOn, FUSION)
  for (const paraphrased of [false, true])
    table(
      paraphrased ? 'the other half, paraphrased' : 'the other half, literal',
      measuredOn.filter((one) => one.paraphrased === paraphrased),
      FUSION,
    )
  spread(asked)
  const [words, meaning, both] = [byWords, byMeaning, byBoth()].map((list) => qualityOf(measuredOn, list))
  if (words && meaning && both && leadOf(both, [words, meaning]) < -0.01) process.exitCode = 1
} finally {
  place.remove()
}

/** What leads most on both measures at once. */
function choose(questions: readonly Asked[]): Fusion {
  const single = [byWords, byMeaning].map((list) => qualityOf(questions, list))
  const all = KS.flatMap((k) => WEIGHTS.map((meaning): Fusion => ({ k, words: 1, meaning })))
  const scored = all.map((fusion) => ({ fusion, lead: leadOf(qualityOf(questions, byBoth(fusion)), single) }))
  const [first] = scored.sort((one, other) => other.lead - one.lead)
  return first?.fusion ?? FUSION
}

/** How far ahead it is of the better one where that is least. */
function leadOf(both: Quality, single: readonly Quality[]): number {
  const ahead = (of: keyof Quality): number => both[of] - Math.max(...single.map((one) => one[of]))
  return Math.min(ahead('recall'), ahead('mrr'))
}

function table(name: string, questions: readonly Asked[], fusion: Fusion): void {
  console.log(`\n${name} (${questions.length} questions)`)
  console.log('| found by | recall@5 | MRR |\n|---|---|---|')
  for (const [how, list] of [
    ['words', byWords],
    ['meaning', byMeaning],
    ['both', byBoth(fusion)],
  ] as const) {
    const { recall, mrr } = qualityOf(questions, list)
    console.log(`| ${how} | ${recall.toFixed(3)} | ${mrr.toFixed(3)} |`)
  }
}

/** How near the right passages are, and the first ones that are found. */
function spread(questions: readonly Asked[]): void {
  const firsts = questions.map(({ byMeaning: [first] }) => first?.similarity ?? 0).sort((a, b) => a - b)
  const at = (part: number): string => (firsts[Math.floor(part * (firsts.length - 1))] ?? 0).toFixed(2)
  console.log(`\nsimilarity of the first passage: ${at(0)} to ${at(1)}, half of them over ${at(0.5)}`)
}

function said({ k, words, meaning }: Fusion): string {
  return `k ${k}, words ${words}, meaning ${meaning}`
}
