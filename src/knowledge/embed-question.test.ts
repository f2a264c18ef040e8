import { expect, test } from 'vitest'
import { createAsking } from './embed-question.ts'

/** Embeds each text when it is told to. */
function embedding() {
  const asked: { readonly text: string; answer(): void }[] = []
  const embed = async ([text = '']: readonly string[]): Promise<Float32Array[]> =>
    new Promise((resolve) => asked.push({ text, answer: () => resolve([new Float32Array([text.length])]) }))
  return { model: { key: 'm', embed }, asked }
}

test('a tenant that asks much keeps another one waiting for one of its questions, not for all', async () => {
  const { model, asked } = embedding()
  const ask = createAsking(60_000)
  const loud = Array.from({ length: 20 }, (_, i) => ask(model, `loud ${i}`, 'loud'))
  const quiet = ask(model, 'quiet', 'quiet')
  const texts = () => asked.map(({ text }) => text)
  await expect.poll(texts).toEqual(['loud 0', 'loud 1', 'loud 2', 'loud 3'])
  asked[0]?.answer()
  asked[1]?.answer()
  await expect.poll(() => texts().slice(4)).toEqual(['loud 4', 'quiet'])
  asked[5]?.answer()
  expect(await quiet).toEqual({ model: 'm', values: new Float32Array([5]) })
  expect(await loud[1]).toMatchObject({ model: 'm' })
})

test('who asks the same at once shares the answer', async () => {
  const { model, asked } = embedding()
  const ask = createAsking(60_000)
  const both = [ask(model, 'the same', 'acme'), ask(model, 'the same', 'acme')]
  await expect.poll(() => asked).toHaveLength(1)
  asked[0]?.answer()
  expect(await Promise.all(both)).toMatchObject([{ model: 'm' }, { model: 'm' }])
  expect(asked).toHaveLength(1)
})

test('a model that fails is no failure of who asks, nor are blanks asked', async () => {
  const ask = createAsking(60_000)
  const failing = { key: 'm', embed: () => Promise.reject(new Error('no')) }
  expect(await ask(failing, 'text', 'acme')).toBeUndefined()
  expect(await ask(failing, ' ', 'acme')).toBeUndefined()
})
