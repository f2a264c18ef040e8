import { expect, test } from 'vitest'
import { delay } from '../../../src/lib/delay.ts'
import type { Segno } from '../../../src/segno.ts'
import { ownSleep, ownTime } from '../../support/own-time.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { DIMENSIONS, embeddingServer, type Instead } from '../embedding/support/embedding-server.ts'
import { lastWords } from '../session/support/talk.ts'
import { ada, draft, embedded, found, HANDBOOK, published } from './support.ts'

const BUILT_IN = 'built-in:sentence-encoder-lite-en'
/** It shares no word with the handbook. */
const PARAPHRASED = 'newborn holidays'

const OLLAMA = `ollama:m@${DIMENSIONS}`
const withServer = (url: string): Record<string, string> => ({
  SEGNO_EMBEDDINGS: OLLAMA,
  OLLAMA_BASE_URL: url,
})
/** Loading the built-in model takes long on a busy machine. */
const PATIENT = { limits: { RETRIEVAL_MS: 30_000 } }
const never: Instead = () => {}
const refused: Instead = (response) => response.writeHead(400).end('{"error":"no"}')
const oneVector: Instead = (response) =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ model: 'm', embeddings: [Array.from({ length: DIMENSIONS }, () => 1)] }))

const sessionOf = async (segno: Segno): Promise<string> => (await segno.createSession({}, { actor: ada })).id

async function until(segno: Segno, holds: (index: Awaited<ReturnType<Segno['documents']['index']>>) => boolean) {
  for (;;) {
    const index = await segno.documents.index(ada)
    if (holds(index)) return index
    await delay(20)
  }
}

verifies('GOV-19', 'documents are found by meaning where no word is the same', async () => {
  const { segno } = await segnoUnderTest(PATIENT)
  await published(segno)
  await embedded(segno)
  expect((await found(segno, PARAPHRASED)).length).toBeGreaterThan(0)
})

verifies('GOV-19', 'a model that does not answer costs a search its time and nothing else', async () => {
  const server = await embeddingServer(Array.from({ length: 100 }, () => never))
  const it = await segnoUnderTest({
    env: withServer(server.url),
    limits: { RETRIEVAL_MS: 1000 },
    turns: [{ text: 'Hi.' }],
  })
  await published(it.segno)
  const took = ownTime()
  expect((await found(it.segno, 'parental'))[0]).toContain('14 weeks')
  expect(took()).toBeLessThan(5000)
  expect(await found(it.segno, PARAPHRASED)).toEqual([])
  const { finishReason } = await it.ask('How many weeks of parental leave?', {
    actor: ada,
    sessionId: await sessionOf(it.segno),
  })
  expect(finishReason).toBe('complete')
  expect(lastWords(it)).toContain('14 weeks')
})

verifies(
  'GOV-19',
  'with another model search goes on with the vectors of the one before until all are made anew',
  async () => {
    const it = await segnoUnderTest(PATIENT)
    await published(it.segno)
    await embedded(it.segno)
    const slow = await embeddingServer(Array.from({ length: 100 }, () => never))
    await it.reopen({ env: withServer(slow.url) })
    expect(await it.segno.documents.index(ada)).toMatchObject({
      model: OLLAMA,
      done: 0,
      all: 3,
      searching: BUILT_IN,
    })
    expect((await found(it.segno, PARAPHRASED)).length).toBeGreaterThan(0)
    const server = await embeddingServer()
    await it.reopen({ env: withServer(server.url) })
    const index = await until(it.segno, ({ searching }) => searching === undefined)
    expect(index).toEqual({ model: OLLAMA, hasVectors: true, done: 3, all: 3 })
    // Those of a provider's model can be asked for too, however its name has to be written.
    const compatible = { SEGNO_EMBEDDINGS: `openai-compatible:m@${DIMENSIONS}` }
    const hanging = { ...compatible, OPENAI_COMPATIBLE_BASE_URL: `${slow.url}/v1` }
    await it.reopen({ env: { ...withServer(server.url), ...hanging } })
    expect((await found(it.segno, PARAPHRASED)).length).toBeGreaterThan(0)
    expect(await it.segno.documents.index(ada)).toMatchObject({ model: compatible.SEGNO_EMBEDDINGS, searching: OLLAMA })
    // Those of the model before are gone, so going back makes them anew.
    await it.reopen({ env: {} })
    expect(await it.segno.documents.index(ada)).toMatchObject({ model: BUILT_IN, searching: OLLAMA })
    await until(it.segno, ({ done, all, searching }) => done === all && searching === undefined)
  },
)

test('a text that the model refuses keeps no other from being embedded, nor what is written in its place', async () => {
  // The whole batch, then a plain sentence, then the first text of the batch.
  const server = await embeddingServer([refused, oneVector, refused])
  const it = await segnoUnderTest({ env: withServer(server.url) })
  const { id } = await draft(it.segno)
  const index = await until(it.segno, ({ done }) => done === 2)
  expect(index).toEqual({ model: OLLAMA, hasVectors: true, done: 2, all: 3 })
  await it.segno.documents.change(ada, id, { content: HANDBOOK.replace('How to be away.', 'How to stay away.') })
  await until(it.segno, ({ done }) => done === 3)
})

test('a model that fails is said to, and left alone for a while', async () => {
  const server = await embeddingServer(Array.from({ length: 100 }, () => refused))
  const it = await segnoUnderTest({ env: withServer(server.url) })
  await published(it.segno)
  expect(await until(it.segno, ({ failure }) => failure !== undefined)).toMatchObject({
    done: 0,
    failure: expect.stringMatching(/^The embedding model ollama:\S+ failed: .*\w$/) as string,
  })
  const before = server.requests.length
  await ownSleep(500)
  expect(server.requests.length - before).toBeLessThan(3)
  expect((await found(it.segno, 'parental'))[0]).toContain('14 weeks')
})
