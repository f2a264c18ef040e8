import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { STORE } from '../support/store-under-test.ts'
import type { MoneyFault } from './faults.ts'
import type { Plan } from './plan.ts'
import { runMoney } from './run-money.ts'

const PLANTED: readonly {
  fault: MoneyFault
  by: string
  mode?: Plan['mode']
  kills?: number
  deaths?: Plan['deaths']
}[] = [
  { fault: 'settled twice', by: 'counters say what the log says' },
  { fault: 'not settled when unknown', by: 'unknown is settled whole', deaths: [{ on: 'call', nth: 3 }] },
  { fault: 'reservation outside the transaction', by: 'never more than the limit', kills: 1 },
  { fault: 'what is set aside does not count', by: 'never more than the limit' },
  { fault: 'calls that run do not count', by: 'no more at once than the quota', mode: 'tools' },
  { fault: 'calls of the hour do not count', by: 'no more an hour than the quota', mode: 'tools' },
  { fault: 'refused without a word', by: 'refused rounds say why' },
]

/** One server has all databases: those who ask it at the same time would wait for each other, and for nothing else. */
const tried = STORE === 'sqlite' ? test.concurrent : test

const caught: string[] = []
afterAll(() => console.log(`planted fault                           caught by\n${caught.join('\n')}`))

const plan = (kills: number): Plan => ({ seed: 3, mode: 'all', rounds: 40, kills })

describe('a planted fault is caught', () => {
  for (const { fault, by, mode = 'all', kills = 0, deaths } of PLANTED) {
    tried(fault, { timeout: 120_000 }, async () => {
      const { harms, folder } = await runMoney({ ...plan(kills), mode, fault, ...(deaths && { deaths }) })
      rmSync(folder, { recursive: true, force: true })
      const checks = new Set(harms.map(({ check }) => check))
      caught.push(`${fault.padEnd(40)}${[...checks].join(', ')}`)
      expect([...checks]).toContain(by)
    })
  }
})

tried('the same run without a fault is clean', { timeout: 120_000 }, async () => {
  expect((await runMoney(plan(3))).harms).toEqual([])
})
