import { expect } from 'vitest'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ownTime } from '../../support/own-time.ts'

const hangs: Record<string, NonNullable<Tool['run']>> = {
  'stops when it is told to': (_, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('told to stop')))),
  'is deaf to its signal': () => new Promise(() => {}),
}
const effects = { pure: 'none', keyed: 'unknown', verifiable: 'unknown', unsafe: 'unknown' } as const

const slow = (effect: EffectClass, run: Tool['run'], more: Partial<Tool> = {}) =>
  probe('slow', { effect, run, verify: async () => ({ happened: 'unknown' }), ...more })
const opening = (tool: Tool, limits: Opening['limits'] = {}): Opening => ({
  tools: [tool],
  turns: [{ calls: [{ name: 'slow' }] }, { text: 'Too slow.' }],
  limits: { TOOL_MS: 30, ...limits },
})

for (const [how, run] of Object.entries(hangs)) {
  for (const [effect, known] of Object.entries(effects) as [EffectClass, string][]) {
    verifies(['GOV-7', 'REL-2'], `a tool that is ${effect} and ${how} is timed out with effect ${known}`, async () => {
      const tool = slow(effect, run)
      const segno = await segnoUnderTest(opening(tool))
      const { events, finishReason, content } = await segno.ask()
      expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'timeout', effect: known }])
      expect({ finishReason, content }).toEqual({ finishReason: 'complete', content: 'Too slow.' })
      expect(tool.runs[0]?.ctx.signal.aborted).toBe(true)
    })
  }
}

verifies('REL-2', 'the model is told when nobody knows whether a call took effect', async () => {
  const told = async (effect: EffectClass) => {
    const segno = await segnoUnderTest(opening(slow(effect, () => new Promise(() => {}))))
    await segno.ask()
    return JSON.stringify(segno.requests[1]?.prompt).includes('It may or may not have happened')
  }
  expect(await told('unsafe')).toBe(true)
  expect(await told('pure')).toBe(false)
})

verifies('GOV-7', 'a tool may declare its own time, longer or shorter than the usual one', async () => {
  const inTime: Tool['run'] = () => new Promise((resolve) => setTimeout(resolve, 80, 'done'))
  const patient = await segnoUnderTest(opening(slow('pure', inTime, { timeoutMs: 50_000 })))
  expect((await patient.ask()).calls).toMatchObject([{ outcome: 'ok' }])
  const hasty = await segnoUnderTest(opening(slow('pure', inTime, { timeoutMs: 5 }), { TOOL_MS: 5_000 }))
  expect((await hasty.ask()).calls).toMatchObject([{ outcome: 'timeout' }])
})

verifies('GOV-7', 'no tool gets more time than the most that is configured', async () => {
  const tool = slow('pure', () => new Promise(() => {}), { timeoutMs: 60_000 })
  const segno = await segnoUnderTest(opening(tool, { TOOL_MAX_MS: 30 }))
  const took = ownTime()
  expect((await segno.ask()).calls).toMatchObject([{ outcome: 'timeout' }])
  expect(took()).toBeLessThan(2_000)
})

verifies('GOV-7', 'what a tool says after its time is not heard', async () => {
  let finish: (text: string) => void = () => {}
  const tool = slow('unsafe', () => new Promise((resolve) => (finish = resolve)))
  const segno = await segnoUnderTest(opening(tool))
  const { events } = await segno.ask()
  finish('I did it after all')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await segno.events()).toHaveLength(events.length + 1)
  expect(said(await segno.events(), 'tool.result')).toMatchObject([{ outcome: 'timeout' }])
})

for (const [effect, known] of Object.entries(effects) as [EffectClass, string][]) {
  verifies(['GOV-7', 'REL-2'], `the end of a round stops a tool that is ${effect}, with effect ${known}`, async () => {
    const tool = slow(effect, hangs['stops when it is told to'] as Tool['run'])
    const segno = await segnoUnderTest(opening(tool, { TOOL_MS: 60_000, TOTAL_MS: 400 }))
    const { events, finishReason } = await segno.ask()
    expect(finishReason).toBe('timeout')
    expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'cancelled', effect: known }])
  })

  verifies('REL-2', `cancelling stops a tool that is ${effect}, with effect ${known}`, async () => {
    let begun: () => void = () => {}
    const running = new Promise<void>((resolve) => (begun = resolve))
    const tool = slow(effect, (_, { signal }) => {
      begun()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('half')))
    })
    const segno = await segnoUnderTest(opening(tool, { TOOL_MS: 60_000 }))
    const round = await segno.send()
    await running
    await round.cancel()
    expect(await round.completion).toMatchObject({
      finishReason: 'cancelled',
      calls: [{ outcome: 'cancelled', effect: known }],
    })
  })
}
