import { describe, expect } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { createLearnedWindows } from './learned-windows.ts'

const DAY = 86_400_000
const model = { provider: 'p', modelId: 'm', window: 128_000, maxOutput: 4000 }

function windows() {
  const clock = { at: 1000, now: () => clock.at }
  return { ...createLearnedWindows({ keepMs: DAY }, clock), clock }
}

describe('a learned window', () => {
  verifies('GOV-6', 'is that of its model and nobody else’s, for a day', () => {
    const it = windows()
    it.learn(model, 8192)
    expect(it.of(model)).toBe(8192)
    expect(it.of({ ...model, modelId: 'other' })).toBeUndefined()
    expect(it.of({ ...model, provider: 'other' })).toBeUndefined()
    it.clock.at += DAY - 1
    expect(it.of(model)).toBe(8192)
    it.clock.at += 1
    expect(it.of(model)).toBeUndefined()
  })

  verifies('GOV-6', 'is never below 4,000 and never above what the registry says', () => {
    const it = windows()
    it.learn(model, 1)
    expect(it.of(model)).toBe(4000)
    expect(it.of({ ...model, window: 3000 })).toBeUndefined()
    it.learn(model, 200_000)
    expect(it.fit(model)).toBe(model)
  })

  verifies('GOV-6', 'leaves at least half of itself for what is sent', () => {
    const it = windows()
    it.learn(model, 4000)
    expect(it.fit(model)).toMatchObject({ window: 4000, maxOutput: 2000 })
    it.learn(model, 50_000)
    expect(it.fit(model)).toMatchObject({ window: 50_000, maxOutput: 4000 })
  })

  verifies('GOV-6', 'is forgotten first where it is the oldest of too many', () => {
    const it = windows()
    it.learn(model, 8192)
    for (let n = 0; n < 1000; n++) it.learn({ ...model, modelId: `made up ${n}` }, 8192)
    expect(it.of(model)).toBeUndefined()
    expect(it.of({ ...model, modelId: 'made up 999' })).toBe(8192)
  })
})
