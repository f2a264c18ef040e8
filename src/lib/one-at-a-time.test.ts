import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('work under one key waits for the work before it, also when that fails; other keys do not', async () => {
  const inTurn = oneAtATime<string>()
  const said: string[] = []
  const first = Promise.withResolvers<string>()
  const working = inTurn('a', () => first.promise)
  const say = (word: string) => async () => {
    said.push(word)
    return word
  }
  const second = inTurn('a', say('second'))
  const third = inTurn('a', say('third'))
  await inTurn('b', say('other'))
  expect(said).toEqual(['other'])
  first.reject(new Error('no'))
  await expect(working).rejects.toThrow('no')
  expect(await Promise.all([second, third])).toEqual(['second', 'third'])
  expect(said).toEqual(['other', 'second', 'third'])
})
