import { expect, onTestFinished } from 'vitest'
import { startJobs } from '../../../src/job/index.ts'
import type { Coordinator } from '../../../src/round/index.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'
import { started } from '../../conformance/store/facts.ts'
import { at, DAY, entitled, NOON, turn, turned } from '../../conformance/store/money-facts.ts'
import { Pen } from '../../conformance/store/pen.ts'
import { verifies } from '../../support/verifies.ts'

/** Nobody is at work here. */
const idle = { rescue: async () => {}, sweep: () => {} } as unknown as Coordinator

verifies('GOV-9', 'what was set aside is forgotten two days after, what was spent never', async () => {
  const store = openSqliteStore({ file: ':memory:', durability: 'normal' })
  onTestFinished(() => store.close())
  await store.putEntitlement(entitled({ dailyTokens: 100 }))
  const pen = await Pen.create(store)
  await pen.write(started('r'), ...at(NOON, turn('r', 1, 50), turned('r', 1, 20, 0)))
  await pen.write(...at(NOON + 1, turn('r', 2, 50), turned('r', 2, 10, 0)))
  const jobs = startJobs(store, idle, { now: () => NOON + 2 * DAY + 1 })
  onTestFinished(() => jobs.stop())
  await jobs.tick()
  expect(await store.forgetReservations(Infinity, 9)).toBe(1)
  expect(await store.left('local', 'ada', NOON)).toMatchObject({ tokens: 70 })
})
