import { expect } from 'vitest'
import type { JsonObject } from '../../../src/contract/message.ts'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const declared: Partial<Tool> = {
  input: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      url: { type: 'string' },
      text: { type: 'string' },
      depth: { type: 'integer', default: 2 },
      more: { type: 'object' },
    },
    additionalProperties: false,
  },
  normalise: { path: 'path', url: 'url' },
}

/** A round in which the model makes these calls one after the other. */
async function roundOf(calls: readonly JsonObject[], protocol: 'triggered' | 'unified', tool: Partial<Tool> = {}) {
  const file = probe('file', { ...declared, ...tool })
  const turns = [...calls.map((args) => ({ calls: [{ name: 'file', args }] })), { text: 'Done.' }]
  const segno = await segnoUnderTest({ tools: [file], turns })
  const { events } = await segno.ask('Go.', { protocol })
  const results = said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
  return { file, segno, events, results }
}

const same: readonly [why: string, first: JsonObject, second: JsonObject][] = [
  ['in every letter', { path: 'a/b' }, { path: 'a/b' }],
  ['in another order of keys', { path: 'a', text: 'x' }, { text: 'x', path: 'a' }],
  [
    'in another order of keys inside',
    { more: { a: { b: 1, c: [{ d: 1, e: 2 }] } } },
    { more: { a: { c: [{ e: 2, d: 1 }], b: 1 } } },
  ],
  ['with the default written out', { path: 'a' }, { path: 'a', depth: 2 }],
  ['with ./ and doubled slashes in the path', { path: 'a/b' }, { path: './a//b' }],
  ['with a trailing slash in the path', { path: 'a/b' }, { path: 'a/b/' }],
  ['with backslashes in the path', { path: 'a/b' }, { path: 'a\\b' }],
  ['with another case of the host', { url: 'https://example.org/a' }, { url: 'HTTPS://EXAMPLE.org/a' }],
]
for (const [why, first, second] of same) {
  verifies(['PHA-4', 'PHA-5'], `triggered: refuses a call that is the same ${why}`, async () => {
    const { results } = await roundOf([first, second], 'triggered')
    expect(results).toEqual(['ok', 'DUPLICATE'])
  })
}

const different: readonly [what: string, first: JsonObject, second: JsonObject][] = [
  ['two texts', { path: 'a', text: 'one' }, { path: 'a', text: 'two' }],
  ['two texts that would be one path', { path: 'a', text: './x' }, { path: 'a', text: 'x' }],
  ['two texts that differ in case', { path: 'a', text: 'X' }, { path: 'a', text: 'x' }],
  ['two paths that differ in case', { path: 'A' }, { path: 'a' }],
  ['another value deep inside', { more: { a: { b: 1 } } }, { more: { a: { b: 2 } } }],
  ['another value than the default', { path: 'a' }, { path: 'a', depth: 3 }],
]
for (const [what, first, second] of different) {
  verifies(['PHA-4', 'PHA-5'], `triggered: carries out both calls with ${what}`, async () => {
    const { results } = await roundOf([first, second], 'triggered')
    expect(results).toEqual(['ok', 'ok'])
  })
}

verifies('PHA-5', 'a duplicate has its call and its result in the log and spends no budget', async () => {
  const { file, events, results } = await roundOf(
    [{ path: 'a' }, { path: 'a' }, { path: 'b' }, { path: 'c' }],
    'triggered',
  )
  expect(said(events, 'tool.call')).toHaveLength(4)
  expect(results).toEqual(['ok', 'DUPLICATE', 'ok', 'ok'])
  expect(file.runs).toHaveLength(3)
})

for (const protocol of ['triggered', 'unified'] as const) {
  verifies('PHA-5', `${protocol}: the model reads that its call was a duplicate`, async () => {
    const { segno } = await roundOf([{ path: 'a' }, { path: './a' }], protocol, { effect: 'unsafe' })
    expect(JSON.stringify(segno.requests[2]?.prompt)).toContain('file was already called with these arguments')
  })
}

verifies('PHA-5', 'unified: repeats a call of a tool that only reads', async () => {
  const { results } = await roundOf([{ path: 'a' }, { path: 'a' }], 'unified', { effect: 'pure' })
  expect(results).toEqual(['ok', 'ok'])
})

for (const effect of ['keyed', 'verifiable', 'unsafe'] as const) {
  verifies('PHA-5', `unified: refuses to repeat a call whose effect is ${effect}`, async () => {
    const { results } = await roundOf([{ path: 'a' }, { path: './a/' }], 'unified', {
      effect,
      verify: async () => ({ happened: 'unknown' }),
    })
    expect(results).toEqual(['ok', 'DUPLICATE'])
  })
}

verifies('PHA-5', 'unified: refuses the second of two equal calls in one message', async () => {
  const call = { name: 'file', args: { path: 'a' } }
  const file = probe('file', { ...declared, effect: 'unsafe' })
  const segno = await segnoUnderTest({ tools: [file], turns: [{ calls: [call, call] }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  expect(said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)).toEqual(['ok', 'DUPLICATE'])
})

verifies('PHA-5', 'triggered: a call that a person denied is a duplicate when it comes again', async () => {
  const file = probe('file', { ...declared, approval: 'ask' })
  const call = { name: 'file', args: { path: 'a' } }
  const segno = await segnoUnderTest({
    tools: [file],
    turns: [{ calls: [call] }, { calls: [call] }, { text: 'Done.' }],
  })
  const { round, approvals } = await segno.askUntilWaiting('Go.', { protocol: 'triggered' })
  await segno.decide(approvals[0], 'deny')
  await round.completion
  const results = said(await segno.events(), 'tool.result')
  expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['denied', 'DUPLICATE'])
})

verifies('PHA-5', 'a call of an earlier round is no duplicate', async () => {
  const file = probe('file', { ...declared, effect: 'unsafe' })
  const call = { name: 'file', args: { path: 'a' } }
  const segno = await segnoUnderTest({ tools: [file], turns: [{ calls: [call] }, { text: 'Done.' }] })
  await segno.ask('Once.', { protocol: 'triggered' })
  await segno.ask('Again.', { protocol: 'triggered' })
  expect(file.runs).toHaveLength(2)
})
