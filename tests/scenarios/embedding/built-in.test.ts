import { performance } from 'node:perf_hooks'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../../src/contract/problem.ts'
import { createBuiltInEmbedder } from '../../../src/model/embedding/index.ts'

const embedder = createBuiltInEmbedder()

const dot = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a?.reduce((sum, number, at) => sum + number * (b?.[at] ?? 0), 0) ?? Number.NaN

async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw new Error(`expected a Problem, got ${String(error)}`)
  return error
}

describe('meaning', () => {
  test.each([
    ['How do I cancel my subscription?', 'I want to end my membership.', 'The volcano erupted at dawn.'],
    ['The cat sleeps on the sofa.', 'A kitten is napping on the couch.', 'Interest rates rose by half a percent.'],
    ['The server returned an error.', 'The request failed on the backend.', 'She baked an apple pie.'],
  ])('"%s" is nearer to "%s" than to "%s"', async (...texts) => {
    const [one, like, unlike] = await embedder.embed(texts)
    expect(dot(one, like)).toBeGreaterThan(dot(one, unlike) + 0.1)
  })

  test('of a passage is nearer to a question about it than to another, beyond what the model reads at once', async () => {
    const filler = 'The committee met in the usual room and approved the minutes of the last meeting. '
    const vectors = await embedder.embed([
      filler.repeat(12) + 'The tomatoes in the greenhouse need water twice a day. '.repeat(12),
      filler.repeat(24),
      'How often must tomatoes be watered?',
    ])
    expect(dot(vectors[0], vectors[2])).toBeGreaterThan(dot(vectors[1], vectors[2]) + 0.1)
  })
})

describe('a vector', () => {
  test('has the declared number of numbers and the length 1', async () => {
    for (const vector of await embedder.embed(['One.', 'Two words.', 'x'.repeat(300), '我们 😀', '\ud800'])) {
      expect(vector).toHaveLength(embedder.dimensions)
      expect(dot(vector, vector)).toBeCloseTo(1, 5)
    }
  })

  test('is the same for the same text, to the last digit, whatever stands beside it and whoever makes it', async () => {
    const text = 'The same sentence, word for word.'
    const [alone] = await embedder.embed([text])
    const beside = await embedder.embed(['Something much longer than that. '.repeat(9), text, 'Short.'])
    const [elsewhere] = await createBuiltInEmbedder().embed([text])
    expect(beside[1]).toEqual(alone)
    expect(elsewhere).toEqual(alone)
  })

  test('does not depend on how a text is broken into lines', async () => {
    const [one, other] = await embedder.embed(['a text of two lines', '  a text\n\tof two  lines\r\n'])
    expect(other).toEqual(one)
  })
})

describe('while it works', () => {
  test('this thread is free', async () => {
    const before = performance.eventLoopUtilization()
    await embedder.embed(Array.from({ length: 10 }, (_, at) => `Sentence number ${at} of a few.`))
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })

  test('each of several askers gets what it asked for', async () => {
    const texts = ['Red apples.', 'Deep oceans.', 'Tax forms.']
    const together = await Promise.all(texts.map((text) => embedder.embed([text, `${text} And more.`])))
    for (const [at, text] of texts.entries())
      expect(together[at]).toEqual(await embedder.embed([text, `${text} And more.`]))
  })

  test('an abort ends the waiting at once, in the middle of a long text too', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const stopped = embedder.embed(['One of far too many sentences. '.repeat(200)], stop.signal)
    const behind = embedder.embed(['Another asker.']).then(() => 'answered')
    setImmediate(() => stop.abort(reason))
    expect(await Promise.race([stopped.catch((error: unknown) => error), behind])).toBe(reason)
    expect(await behind).toBe('answered')
  })

  test('an abort leaves the rest of the texts alone', async () => {
    const stop = new AbortController()
    const reason = new Error('enough')
    const many = embedder.embed(Array<string>(500).fill('One of far too many sentences.'), stop.signal)
    setImmediate(() => stop.abort(reason))
    await expect(many).rejects.toBe(reason)
    expect(await embedder.embed(['Another asker.'])).toHaveLength(1)
    await expect(embedder.embed(['Too late.'], stop.signal)).rejects.toBe(reason)
  })
})

describe('a text', () => {
  test.each([
    ['that is empty', ['fine', ''], 'texts[1]'],
    ['of nothing but space', [' \n\t'], 'texts[0]'],
    ['that is no text', [{ text: 'canary' }], 'texts[0]'],
    ['that is too long', ['fine', 'canary '.repeat(2000)], 'texts[1]'],
  ])('%s is refused by its place', async (_, texts, field) => {
    const problem = await problemOf(embedder.embed(texts as string[]))
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(problem.message).toContain(field)
    expect(problem.message).not.toContain('canary')
  })

  test('is not needed: nothing in, nothing out', async () => {
    expect(await embedder.embed([])).toEqual([])
  })
})
