import { expect } from 'vitest'
import type { StoredEvent } from '../../src/contract/event.ts'
import { entitled, NOON } from '../conformance/store/money-facts.ts'
import { verifies } from '../support/verifies.ts'
import { nextLine, startChild } from './sqlite/child.ts'
import { openStore, tempFile } from './sqlite/temp-folder.ts'

const SPEND = new URL('./sqlite/spend-until-killed.ts', import.meta.url)
const LIMIT = 20_000
const KILLS = 6

/** What a log says was spent and is set aside, read without any of the store's own code. */
function costOf(log: readonly StoredEvent[]): number {
  let spent = 0
  const open = new Map<string, number>()
  const settle = (about: string, cost = open.get(about) ?? 0): void => {
    if (open.delete(about)) spent += cost
  }
  for (const { type, data } of log) {
    if (type === 'turn.started') open.set(`turn ${data.turn}`, data.reserved?.cost ?? 0)
    else if (type === 'tool.started') open.set(data.callId, data.reserved)
    else if (type === 'turn.ended') settle(`turn ${data.turn}`, data.cost)
    else if (type === 'tool.result') settle(data.callId, data.cost)
    else if (type === 'round.resumed') {
      settle(`turn ${data.turn}`)
      open.set(`turn ${data.turn}`, data.reserved?.cost ?? 0)
    }
  }
  return spent + open.values().reduce((sum, cost) => sum + cost, 0)
}

verifies(
  'GOV-9',
  'a hundred sessions on one budget, killed again and again, never spend more than it is',
  async () => {
    const file = tempFile()
    const before = openStore(file)
    await before.putEntitlement(entitled({ dailyCost: LIMIT }))
    await before.close()
    for (let kill = 1; kill <= KILLS; kill++) {
      const child = startChild(SPEND, file, String(kill * 7919))
      // The last one goes on until there is next to nothing left.
      for (let i = 0; i < (kill === KILLS ? 4000 : kill * 20); i++) await nextLine(child)
      await child.kill()
      const store = openStore(file)
      const logs = await Promise.all(Array.from({ length: 100 }, (_, i) => store.read(`session ${i}`)))
      const used = logs.reduce((sum, log) => sum + costOf(log), 0)
      expect(used).toBeLessThanOrEqual(LIMIT)
      expect(await store.left('local', 'ada', NOON)).toMatchObject({ cost: LIMIT - used })
      expect((await store.check()).findings).toEqual([])
      if (kill === KILLS) expect(used).toBeGreaterThan(LIMIT - 100)
      await store.close()
    }
  },
  60_000,
)
