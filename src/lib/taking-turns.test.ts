import { expect, test } from 'vitest'
import { takingTurns } from './taking-turns.ts'

const open = new AbortController().signal

/** Two at once, with work that ends when its `end` is called. */
function turns() {
  const inTurn = takingTurns(2)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    ask: (who: string, name: string, signal = open) =>
      inTurn(who, signal, () => {
        started.push(name)
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
      }),
    async end(name: string) {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

test('no more than so many are done at once', async () => {
  const { ask, started, end } = turns()
  void ask('a', 'a1')
  void ask('a', 'a2')
  void ask('b', 'b1')
  expect(started).toEqual(['a1', 'a2'])
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'b1'])
})

test("everybody's first goes before anybody's second", async () => {
  const { ask, started, end } = turns()
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void ask('a', name)
  void ask('b', 'b1')
  await end('a1')
  await end('a2')
  await end('a3')
  expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'a4'])
})

test('whoever leaves is not waited for', async () => {
  const { ask, started, end } = turns()
  void ask('a', 'a1')
  void ask('a', 'a2')
  const leaving = new AbortController()
  const left = ask('b', 'b1', leaving.signal)
  void ask('c', 'c1')
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await end('a1')
  expect(started).toEqual(['a1', 'a2', 'c1'])
})

test('whoever leaves in the moment of their turn gives it to the next', async () => {
  const { ask, started, end } = turns()
  void ask('a', 'a1')
  void ask('a', 'a2')
  const leaving = new AbortController()
  const left = ask('b', 'b1', leaving.signal).catch(() => {})
  void ask('c', 'c1')
  const ended = end('a1')
  leaving.abort(new Error('left'))
  await left
  await ended
  await end('a2')
  await end('b1')
  expect(started.filter((name) => name !== 'b1')).toEqual(['a1', 'a2', 'c1'])
})

test('work that fails gives its turn to the next', async () => {
  const inTurn = takingTurns(1)
  const failing = inTurn('a', open, () => Promise.reject(new Error('no')))
  const next = inTurn('a', open, async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})
