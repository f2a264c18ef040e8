import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createBuiltInEmbedder } from '../../src/model/embedding/index.ts'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'
import { verifies } from '../support/verifies.ts'
import {
  askAll,
  byBoth,
  byMeaning,
  byWords,
  embedAll,
  publishFiles,
  qualityOf,
  QUESTIONS,
} from './support/retrieval-corpus.ts'

/** Some of what `npm run bench:retrieval` measures over all documents of the package. */
const FILES = ['RetryHandler', 'MockCallHistory', 'MockCallHistoryLog', 'Connector'].map(
  (name) => `docs/docs/api/${name}.md`,
)

verifies(
  'GOV-19',
  'words and meaning together find about as well as the better of the two, over documents of a package',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'segno-retrieval-'))
    const store = openSqliteStore({ file: join(folder, 'segno.db'), durability: 'normal' })
    try {
      const embedder = createBuiltInEmbedder()
      await publishFiles(store, FILES)
      await embedAll(store, embedder)
      const questions = QUESTIONS.filter(({ file }) => FILES.includes(file))
      expect(questions.length).toBeGreaterThan(20)
      const asked = await askAll(store, embedder, questions)
      const [words, meaning, both] = [byWords, byMeaning, byBoth()].map((list) => qualityOf(asked, list))
      // A question more or less is no difference among so few.
      const one = 1 / questions.length
      for (const measure of ['recall', 'mrr'] as const) {
        const better = Math.max(words?.[measure] ?? 1, meaning?.[measure] ?? 1)
        expect(both?.[measure], measure).toBeGreaterThanOrEqual(better - 0.01 - one)
        expect(better, measure).toBeGreaterThan(0.3)
      }
    } finally {
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
