import { expect, test } from 'vitest'
import type { CheckReport, Store, UpkeepOptions } from '../store/index.ts'
import { createUpkeep } from './upkeep.ts'

const SOUND: CheckReport = { ok: true, sessions: 1, events: 2, findings: [] }

function slowStore() {
  const asked: UpkeepOptions[] = []
  let finish = Promise.withResolvers<CheckReport>()
  const store = {
    check(options: UpkeepOptions) {
      asked.push(options)
      finish = Promise.withResolvers()
      const { reject } = finish
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
      return finish.promise
    },
  } as unknown as Store
  return { upkeep: createUpkeep(store, () => 7, 0), asked, done: () => finish.resolve(SOUND) }
}

test('who asks while it goes on hears the same, and it is done once', async () => {
  const { upkeep, asked, done } = slowStore()
  const both = [upkeep.check(), upkeep.check()]
  done()
  expect(await Promise.all(both)).toEqual([SOUND, SOUND])
  expect(asked).toHaveLength(1)
  expect(upkeep.work()).toBeUndefined()
})

test('says how far it is', async () => {
  const { upkeep, asked, done } = slowStore()
  const checking = upkeep.check()
  expect(upkeep.work()).toEqual({ what: 'check', startedAt: 7, doing: 'waiting', done: 0, total: 0 })
  asked[0]?.onProgress?.({ doing: 'checking', done: 3, total: 9 })
  expect(upkeep.work()).toEqual({ what: 'check', startedAt: 7, doing: 'checking', done: 3, total: 9 })
  done()
  await checking
})

test('goes on while somebody waits for it, and ends when the last has left', async () => {
  const { upkeep, asked } = slowStore()
  const [one, two] = [new AbortController(), new AbortController()]
  const both = [upkeep.check(one.signal), upkeep.check(two.signal)]
  one.abort()
  expect(asked[0]?.signal?.aborted).toBe(false)
  two.abort()
  expect(asked[0]?.signal?.aborted).toBe(true)
  for (const result of await Promise.allSettled(both)) expect(result.status).toBe('rejected')
  expect(upkeep.work()).toBeUndefined()
})

test('is stopped by who says so, and can be asked for again at once', async () => {
  const { upkeep, asked, done } = slowStore()
  expect(upkeep.stopWork()).toBe(false)
  const first = upkeep.check()
  expect(upkeep.stopWork()).toBe(true)
  const second = upkeep.check()
  await expect(first).rejects.toMatchObject({ code: 'CONFLICT' })
  done()
  expect(await second).toEqual(SOUND)
  expect(asked).toHaveLength(2)
})

test('says how far it is from the first moment on', async () => {
  const store = {
    async compact({ onProgress }: UpkeepOptions) {
      onProgress?.({ doing: 'compacting', done: 0, total: 5 })
      await Promise.resolve()
      return { before: 9, after: 4, freed: 5, needsRewrite: false }
    },
  } as unknown as Store
  const upkeep = createUpkeep(store, () => 7, 0)
  const compacting = upkeep.compact()
  expect(upkeep.work()).toMatchObject({ doing: 'compacting', done: 0, total: 5 })
  expect(await compacting).toMatchObject({ freed: 5 })
})
