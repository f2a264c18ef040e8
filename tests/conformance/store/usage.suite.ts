import { describe, expect } from 'vitest'
import type { Usage } from '../../../src/contract/message.ts'
import { verifies } from '../../support/verifies.ts'
import { fact, started } from './facts.ts'
import { SessionWriter } from './session-writer.ts'
import type { Subject } from './subject.ts'

export function usageSuite(it: Subject): void {
  async function round(writer: SessionWriter, requestId: string, usage: Usage, cost: number): Promise<number> {
    const end = fact('round.ended', { finishReason: 'complete', usage, cost }, requestId)
    await writer.write(started(requestId), end)
    return end.at
  }

  describe('usage', () => {
    verifies('COO-2', 'is the sum over the ended rounds of a tenant, by user and model, with its marks', async () => {
      const one = await SessionWriter.create(it.store)
      const other = await SessionWriter.create(it.store)
      const { owner } = (await it.store.session(one.id)) as { owner: { id: string; tenant: string } }
      await round(one, 'r1', { input: 10, output: 2, cachedRead: 4 }, 100)
      await round(other, 'r2', { input: 5, output: 1, estimated: true }, 7)
      await one.write(started('open'))
      const both = {
        userId: owner.id,
        model: 'scripted/default',
        rounds: 2,
        usage: { input: 15, output: 3, cachedRead: 4, estimated: true },
        cost: 107,
      }
      expect(await it.store.usage({ tenant: owner.tenant })).toEqual([both])
      expect(await it.store.usage({ tenant: owner.tenant, owner: 'nobody' })).toEqual([])
      expect(await it.store.usage({ tenant: 'elsewhere' })).toEqual([])
      expect(await it.store.usage({ tenant: owner.tenant, sessionId: other.id })).toMatchObject([
        { rounds: 1, usage: { input: 5 }, cost: 7 },
      ])
    })

    verifies('COO-2', 'of a time is that of the rounds that ended in it', async () => {
      const writer = await SessionWriter.create(it.store)
      const { tenant } = ((await it.store.session(writer.id)) as { owner: { tenant: string } }).owner
      const at = await round(writer, 'r', { input: 1, output: 1 }, 1)
      expect(await it.store.usage({ tenant, since: at, until: at + 1 })).toHaveLength(1)
      expect(await it.store.usage({ tenant, since: at + 1 })).toEqual([])
      expect(await it.store.usage({ tenant, until: at })).toEqual([])
    })
  })
}
