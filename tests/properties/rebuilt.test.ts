import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { fold } from '../../src/session/index.ts'
import { rebuiltFault, type SentCall } from '../support/rebuild-sent.ts'
import { verifies } from '../support/verifies.ts'
import { modelEntry } from './life.ts'
import { plans } from './plan.ts'
import { play } from './play.ts'
import { propertyStore } from './property-store.ts'
import { Stage } from './stage.ts'

const numRuns = Math.ceil(Number(process.env['SEGNO_PROPERTY_RUNS'] ?? 5000) / 10)
const seed = Number(process.env['SEGNO_PROPERTY_SEED'] ?? Date.now() % 1_000_000_000)

let store: Store

beforeAll(async () => {
  vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  store = await propertyStore()
})

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await store.close()
})

verifies(
  ['LIN-8', 'GOV-2'],
  'whatever happens, every prompt that was sent is rebuilt from the log and the parts it names, byte for byte',
  async () => {
    const seen = {
      sent: 0,
      retried: 0,
      summarised: 0,
      cut: 0,
      shortened: 0,
      taken: 0,
      forked: 0,
      files: 0,
      thoughtless: 0,
      forced: 0,
      held: 0,
      misfits: 0,
      lookedUp: 0,
    }
    const check = async (plan: Parameters<typeof play>[0]['plan']): Promise<void> => {
      const stage = new Stage(store, plan)
      const faults: string[] = []
      const compare = async (sent: SentCall, when: string): Promise<void> => {
        const fault = await rebuiltFault(store, sent, modelEntry)
        // Nothing is left of a session that was deleted while this was read.
        if (fault !== undefined && !fold(stage.log(sent.sessionId)).deleted) faults.push(`${when}: ${fault}`)
      }
      // Once when it is sent, so that what is deleted later is compared too, and once when everything is over.
      stage.onSent = (sent) => compare(sent, 'at once')
      try {
        await play(stage)
      } catch (error) {
        await store.close()
        store = await propertyStore()
        throw error
      }
      for (const sent of stage.sent) if (!fold(stage.log(sent.sessionId)).deleted) await compare(sent, 'at the end')
      expect([...stage.faults, ...faults].slice(0, 4)).toEqual([])
      count(stage)
    }

    function count({ sent, logs, forks }: Stage): void {
      seen.sent += sent.length
      seen.files += sent.filter(({ options }) => JSON.stringify(options.prompt).includes('"type":"file"')).length
      seen.forked += sent.filter(({ sessionId }) => forks.some(({ id }) => id === sessionId)).length
      for (const event of [...logs.values()].flat()) {
        if (event.type === 'round.resumed' && event.data.reason === 'takeover') seen.taken += 1
        if (event.type !== 'turn.started' && event.type !== 'turn.retried') continue
        const { sent: was } = event.data
        if (event.type === 'turn.retried') seen.retried += 1
        if (event.data.retrieved) seen.lookedUp += 1
        if (was?.summary !== undefined) seen.summarised += 1
        if (was?.cut) seen.cut += 1
        if (was?.shortened || was?.withoutFiles) seen.shortened += 1
        if (was?.params.withoutThoughts) seen.thoughtless += 1
        if (was?.params.toolChoice) seen.forced += 1
        if (was?.params.output) seen.held += 1
        if (event.type === 'turn.retried' && event.data.reason.includes('does not fit')) seen.misfits += 1
      }
    }

    await fc.assert(fc.asyncProperty(plans, check), { numRuns, seed })
    console.log(`rebuilt: ${JSON.stringify(seen)}, ${numRuns} histories, seed ${seed}`)
    if (numRuns >= 300) expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([])
  },
  600_000,
)
