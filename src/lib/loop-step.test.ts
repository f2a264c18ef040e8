import { expect, test } from 'vitest'
import { loopStep } from './loop-step.ts'

test('one step goes on in each turn of the event loop, in the order they came', async () => {
  const seen: string[] = []
  const steps = ['a', 'b', 'c'].map(async (name) => {
    await loopStep()
    seen.push(name)
  })
  for (let turn = 1; turn <= 4; turn++) {
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(String(turn))
  }
  await Promise.all(steps)
  expect(seen.filter((one) => /[a-c]/.test(one))).toEqual(['a', 'b', 'c'])
  // Between two of them the loop has gone round.
  expect(seen.join('')).not.toMatch(/[a-c]{2}/)
})

test('what comes while others wait has its turn after them', async () => {
  const seen: number[] = []
  async function work(name: number, steps: number): Promise<void> {
    for (let i = 0; i < steps; i++) {
      await loopStep()
      seen.push(name)
    }
  }
  await Promise.all([work(1, 3), work(2, 3)])
  expect(seen).toEqual([1, 2, 1, 2, 1, 2])
})
