import { expect, onTestFinished } from 'vitest'
import { startJobs } from '../../../src/job/index.ts'
import type { Coordinator } from '../../../src/round/index.ts'
import { started } from '../../conformance/store/facts.ts'
import { at, DAY, entitled, NOON, turn, turned } from '../../conformance/store/money-facts.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { openStoreOf } from '../../support/store-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { tempFolder } from '../workspace/support.ts'

/** Nobody is at work here. */
const idle = { rescue: async () => {}, sweep: () => {} } as unknown as Coordinator

verifies('GOV-9', 'what was set aside is forgotten two days after, what was spent never', async () => {
  const store = await openStoreOf(tempFolder())
  onTestFinished(() => store.close())
  await store.putEntitlement(entitled({ dailyTokens: 100 }))
  const writer = await SessionWriter.create(store)
  await writer.write(started('r'), ...at(NOON, turn('r', 1, 50), turned('r', 1, 20, 0)))
  await writer.write(...at(NOON + 1, turn('r', 2, 50), turned('r', 2, 10, 0)))
  const jobs = startJobs(store, idle, { now: () => NOON + 2 * DAY + 1 })
  onTestFinished(() => jobs.stop())
  await jobs.tick()
  expect(await store.forgetReservations(Infinity, 9)).toBe(1)
  expect(await store.left('local', 'ada', NOON)).toMatchObject({ tokens: 70 })
})
