import { expect } from 'vitest'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** A tool whose effect depends on the call: `as` is its class. Its first run is cut off by a restart. */
async function cutOff(as: string, more: Partial<Tool> = {}, meanwhile = () => {}) {
  let begun: () => void = () => {}
  const running = new Promise<void>((resolve) => (begun = resolve))
  const tool = probe('act', {
    effect: (args) => args['as'] as EffectClass,
    approval: 'auto',
    reach: [],
    ...more,
    run(_, { signal }) {
      if (tool.runs.length > 1) return 'done at last'
      begun()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('')))
    },
  })
  const segno = await segnoUnderTest({
    tools: [tool],
    turns: [{ calls: [{ name: 'act', args: { as } }] }, { text: 'Done.' }],
    limits: { DRAIN_MS: 0 },
  })
  const { requestId } = await segno.send()
  await running
  meanwhile()
  await segno.reopen()
  await segno.segno.completion(segno.sessionId, requestId)
  const [result] = said(await segno.events(), 'tool.result')
  return { segno, tool, result }
}

verifies('REL-2', 'each call is taken by the class it has, not by that of other calls of its tool', async () => {
  const pure = await cutOff('pure')
  expect(pure.result).toMatchObject({ outcome: 'ok', effect: 'none' })
  expect(pure.tool.runs).toHaveLength(2)
  const keyed = await cutOff('keyed')
  expect(keyed.result).toMatchObject({ outcome: 'ok', effect: 'done' })
  expect(new Set(keyed.tool.runs.map(({ ctx }) => ctx.idempotencyKey)).size).toBe(1)
  for (const as of ['unsafe', 'nonsense']) {
    const unsafe = await cutOff(as)
    expect(unsafe.result, as).toMatchObject({ outcome: 'unknown', effect: 'unknown' })
    expect(unsafe.tool.runs, as).toHaveLength(1)
  }
})

verifies('REL-2', 'a call whose class changed while Segno was down goes by the one it was started with', async () => {
  let word: EffectClass = 'unsafe'
  const { tool, result } = await cutOff('', { effect: () => word }, () => (word = 'pure'))
  expect(result).toMatchObject({ outcome: 'unknown', effect: 'unknown' })
  expect(tool.runs).toHaveLength(1)
})

verifies('REL-2', 'no policy lets an identical call run while nobody knows whether the first one did', async () => {
  const { segno, tool } = await cutOff('unsafe')
  await segno.reopen({ policy: { rules: [{ decide: 'allow' }] } })
  const { events } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
  expect(tool.runs).toHaveLength(1)
})

verifies('PHA-5', 'in a unified round only calls that change nothing may be repeated, as each call is', async () => {
  const tool = probe('act', { effect: (args) => args['as'] as EffectClass, approval: 'auto', reach: [] })
  const calls = ['pure', 'pure', 'unsafe', 'unsafe'].map((as) => ({ name: 'act', args: { as } }))
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls }, { text: 'Done.' }] })
  const codes = async (protocol: 'unified' | 'triggered') =>
    said((await segno.ask('Go.', { protocol })).events, 'tool.result').map(({ code, outcome }) => code ?? outcome)
  expect(await codes('unified')).toEqual(['ok', 'ok', 'ok', 'DUPLICATE'])
})

verifies('PHA-4', 'two spellings of one path, URL or host are one call', async () => {
  const tool = probe('get', { effect: 'unsafe', normalise: { path: 'path', url: 'url', host: 'host' } })
  const spellings = [
    { path: 'docs/a.md', url: 'https://a.test/x', host: 'a.test' },
    { path: './docs//b/../a.md', url: 'HTTPS://A.test:443/x#y', host: 'A.TEST.' },
    { path: 'docs\\a.md', url: 'https://a.test/x', host: 'a.test' },
    { path: 'docs/A.md', url: 'https://a.test/x', host: 'a.test' },
  ]
  const calls = spellings.map((args) => ({ name: 'get', args }))
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls }, { text: 'Done.' }] })
  const results = said((await segno.ask()).events, 'tool.result').map(({ code, outcome }) => code ?? outcome)
  expect(results).toEqual(['ok', 'DUPLICATE', 'DUPLICATE', 'ok'])
})
