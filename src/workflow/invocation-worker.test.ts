import { expect, test } from 'vitest'
import type { Invocation } from '../contract/invocation.ts'
import { Problem } from '../contract/problem.ts'
import { createInvocationWorker } from './invocation-worker.ts'

const RUN = { id: 'r', tenant: 't', automationId: 'w', status: 'pending' } as Invocation
const OTHER = { id: 'o', tenant: 'u', automationId: 'x' }

test('one that is taken again while it is worked on, because the clock jumped, is waited for twice', async () => {
  const ends: (() => void)[] = []
  const step = (): Promise<void> => new Promise((resolve) => void ends.push(resolve))
  const worker = createInvocationWorker(
    { takeInvocation: async () => undefined, freeInvocations: async () => {} },
    { step, leaseMs: 1 },
    async () => undefined,
    { clock: { now: () => 0 }, mayAct: () => true, onFailure() {}, atOnce: 2 },
  )
  const started = worker.start()
  const both = [worker.work(RUN), worker.work(RUN)]
  expect(worker.keepPlace(OTHER)).toBe(false)
  ends[0]?.()
  await both[0]
  let isStopped = false
  const stopping = started.stop().then(() => (isStopped = true))
  await Promise.resolve()
  expect([worker.keepPlace(OTHER), isStopped]).toEqual([false, false])
  ends[1]?.()
  await stopping
})

test('one that failed because the store was away is due soon after the store is back, not when its lease is over', async () => {
  const stored: (Invocation | undefined)[] = []
  let isAway = true
  const away = () => Promise.reject(new Problem('STORE_UNAVAILABLE', 'away'))
  const worker = createInvocationWorker(
    { takeInvocation: async () => undefined, freeInvocations: async () => {} },
    { step: away, leaseMs: 150_000 },
    async (_, to) => {
      if (isAway) {
        isAway = false
        return away()
      }
      stored.push(to({ ...RUN, dueAt: 150_000 }))
      return undefined
    },
    { clock: { now: () => 0 }, mayAct: () => true, onFailure() {}, atOnce: 2 },
  )
  await worker.work(RUN)
  expect(stored).toMatchObject([{ id: 'r', dueAt: 5000 }])
})
