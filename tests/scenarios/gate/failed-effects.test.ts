import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const turns = [{ calls: [{ name: 'pay', args: {} }] }, { text: 'Done.' }]

verifies('REL-2', 'a tool that fails had no effect', async () => {
  const tool = probe('pay', { effect: 'unsafe', run: () => Promise.reject(new Error('refused by the bank')) })
  const { events } = await (await segnoUnderTest({ tools: [tool], turns })).ask()
  expect(said(events, 'tool.result')).toMatchObject([
    { outcome: 'error', effect: 'none', content: 'refused by the bank' },
  ])
})

verifies('REL-2', 'a tool that fails and says it may have happened leaves its effect unknown', async () => {
  const lost = Object.assign(new Error('the connection was lost'), { effect: 'unknown' })
  const tool = probe('pay', { effect: 'unsafe', run: () => Promise.reject(lost) })
  const { events } = await (await segnoUnderTest({ tools: [tool], turns })).ask()
  const [result] = said(events, 'tool.result')
  expect(result).toMatchObject({ outcome: 'error', effect: 'unknown' })
  expect(result?.content).toContain('may or may not have happened')
})

verifies('REL-2', 'a tool whose output cannot be written down has had its effect', async () => {
  const tool = probe('pay', { effect: 'unsafe', run: () => ({ receipt: 12n }) })
  const { events } = await (await segnoUnderTest({ tools: [tool], turns })).ask()
  expect(said(events, 'tool.result')).toMatchObject([{ outcome: 'error', effect: 'done' }])
})

verifies('REL-2', 'a keyed call is not run again under another definition of its tool', async () => {
  const hang = probe('pay', { effect: 'keyed', run: () => new Promise(() => {}) })
  const it = await segnoUnderTest({ tools: [hang], turns, limits: { DRAIN_MS: 1 } })
  await it.send()
  await it.until('tool.started')
  const other = probe('pay', { effect: 'keyed', description: 'pays somebody else' })
  await it.reopen({ tools: [other] })
  await it.until('round.ended')
  expect(other.runs).toHaveLength(0)
  expect(said(await it.events(), 'tool.result')).toMatchObject([{ outcome: 'unknown', effect: 'unknown' }])
})
