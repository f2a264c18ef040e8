import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Limits } from '../../../../src/config/index.ts'
import { verifies } from '../../../support/verifies.ts'
import { faultTroubles, type Fault } from './fault.ts'
import { openStage, type Stage } from './stage.ts'

const TIMEOUT_MS = 300_000

/** Registers a test for each fault; all of them share one Segno and run side by side. */
export function tryFaults(faults: Readonly<Record<string, Fault>>, limits: Partial<Limits> = {}): void {
  let stage: Stage
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  beforeAll(async () => {
    process.on('unhandledRejection', note)
    stage = await openStage(limits)
  }, TIMEOUT_MS)
  afterAll(async () => {
    await stage.close()
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })

  describe.concurrent('a provider that', () => {
    for (const [name, fault] of Object.entries(faults)) {
      verifies(
        ['COO-6', 'GOV-7'],
        `${name}: the round ends once and in time, and the session goes on`,
        async ({ expect: must }) => {
          must(await faultTroubles(stage, fault)).toEqual([])
        },
        TIMEOUT_MS,
      )
    }
  })
}
