import { expect, test } from 'vitest'
import { readingAnew } from './reading-anew.ts'

test('what is asked for while it is read is read once more after that, for all who ask, also if the first time fails', async () => {
  const reads: PromiseWithResolvers<void>[] = []
  const read = readingAnew(() => {
    const one = Promise.withResolvers<void>()
    reads.push(one)
    return one.promise
  })
  const first = read()
  const others = Promise.all([read(), read()])
  expect(reads).toHaveLength(1)
  reads[0]?.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.resolve()
  await others
  expect(reads).toHaveLength(2)
  const later = read()
  expect(reads).toHaveLength(3)
  reads[2]?.resolve()
  await later
})
