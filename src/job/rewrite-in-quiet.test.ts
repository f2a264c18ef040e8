import { expect, test } from 'vitest'
import type { Store } from '../store/index.ts'
import { rewriteInQuiet } from './rewrite-in-quiet.ts'

const at = (hour: number, minute = 0, day = 1): number => new Date(2026, 0, day, hour, minute).getTime()

function night({ from = 2, to = 5, needs = true, fails = false } = {}) {
  let now = at(0)
  let isBusy = false
  const done: number[] = []
  const store = {
    needsRewrite: () => needs,
    async compact() {
      done.push(now)
      if (fails) throw new Error('full')
    },
  } as unknown as Store
  const clock = { now: () => now } as Parameters<typeof rewriteInQuiet>[1]
  const tick = rewriteInQuiet(store, clock, { hours: { from, to }, isIdle: () => !isBusy, rewriteUpTo: 1 })
  return {
    done,
    async at(time: number, busy = false) {
      now = time
      isBusy = busy
      await tick().catch(() => {})
      return done.length
    },
  }
}

test('waits for a quiet hour', async () => {
  const it = night()
  expect([await it.at(at(1, 59)), await it.at(at(2)), await it.at(at(2, 1))]).toEqual([0, 1, 1])
  expect(await night().at(at(5))).toBe(0)
})

test('hours may go over midnight', async () => {
  expect(await night({ from: 23, to: 1 }).at(at(23, 30))).toBe(1)
  expect(await night({ from: 23, to: 1 }).at(at(1, 0, 2))).toBe(0)
})

test('never begins while something runs, nor soon after', async () => {
  const it = night()
  expect(await it.at(at(3), true)).toBe(0)
  expect(await it.at(at(3) + 59_000)).toBe(0)
  expect(await it.at(at(3, 1))).toBe(1)
})

test('what failed is tried again in the next night, not in the next second', async () => {
  const it = night({ fails: true })
  expect([await it.at(at(2)), await it.at(at(4)), await it.at(at(2, 0, 2))]).toEqual([1, 1, 2])
})

test('does nothing where nothing is to be done', async () => {
  expect(await night({ needs: false }).at(at(3))).toBe(0)
})
