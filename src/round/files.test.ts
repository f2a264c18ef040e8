import { expect, test } from 'vitest'
import { createFiles } from './files.ts'

function shelf(keptBytes: number) {
  const stored = new Map(['a', 'b', 'c'].map((name) => [name, Buffer.from(name.repeat(10))]))
  const asked: string[] = []
  const files = createFiles(async (hash) => {
    asked.push(hash)
    return stored.get(hash)
  }, keptBytes)
  return { files, asked }
}

test('files are found by their hash, each asked for once; one that is gone is left out', async () => {
  const { files, asked } = shelf(1000)
  const found = await files(['a', 'gone', 'b', 'a'])
  expect([...found].map(([hash, bytes]) => [hash, String(bytes)])).toEqual([
    ['a', 'a'.repeat(10)],
    ['b', 'b'.repeat(10)],
  ])
  expect(asked).toEqual(['a', 'gone', 'b'])
})

test('those used last are kept, as many as there is room for', async () => {
  const { files, asked } = shelf(20)
  await files(['a', 'b'])
  await files(['a'])
  await files(['c'])
  expect(asked).toEqual(['a', 'b', 'c'])
  await files(['a', 'c'])
  expect(asked).toEqual(['a', 'b', 'c'])
  await files(['b'])
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
  await files(['c', 'b'])
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
})

test('a file too large to keep is read every time, and found', async () => {
  const { files, asked } = shelf(9)
  expect((await files(['a'])).get('a')).toHaveLength(10)
  await files(['a'])
  expect(asked).toEqual(['a', 'a'])
})
