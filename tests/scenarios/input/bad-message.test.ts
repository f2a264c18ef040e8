import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { SendOptions } from '../../../src/round/index.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const CONTENTS: readonly [string, unknown][] = [
  ['an empty message', ''],
  ['a message of spaces', ' \t\r\n \u00a0'],
  ['half a character', 'hello \ud83d'],
  ['the other half', '\udc4b hello'],
  ['a message of 10 MB', 'x'.repeat(10_000_000)],
  ['nothing', undefined],
  ['null', null],
  ['a number', 42],
  ['an empty list', []],
  ['an object', { text: 'hello' }],
  ['bytes', Buffer.from('hello')],
]

for (const [what, content] of CONTENTS) {
  test(`${what} is refused, and nothing is stored`, async () => {
    const u = await segnoUnderTest()
    const before = await u.events()
    const problem = await problemOf(u.segno.streamRequest(u.sessionId, content as string))
    expect(problem).toMatchObject({ code: 'VALIDATION_ERROR', field: 'content' })
    expect(problem.message.length).toBeLessThan(300)
    expect(await u.events()).toEqual(before)
  })
}

test('a message as long as may be is taken', async () => {
  const entry: Opening['entry'] = (model) => ({ ...model, window: 20_000_000 })
  const u = await segnoUnderTest({ turns: [{ text: 'ok' }], limits: { MESSAGE_CHARS: 10_000_000 }, entry })
  const content = 'x'.repeat(10_000_000)
  expect(await u.ask(content)).toMatchObject({ finishReason: 'complete' })
  expect((await problemOf(u.send(`${content}x`))).message).toContain('MESSAGE_CHARS')
})

test('a message that does not fit into what its model can be sent is refused, and nothing is stored', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'ok' }] })
  const before = await u.events()
  const problem = await problemOf(u.send('word '.repeat(150_000)))
  expect(problem.code).toBe('TOKEN_LIMIT')
  expect(problem.message).toMatch(/do not fit into the 102400 tokens that scripted can be sent\. Send less/)
  expect(await u.events()).toEqual(before)
  expect(await u.ask('hello')).toMatchObject({ finishReason: 'complete', content: 'ok' })
})

test('a message that waited and does not fit ends its round, and the next one is answered', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: [{ calls: [{ name: 'hold' }] }, { text: 'ok' }] })
  const first = await u.send('hello')
  await hold.entered
  const long = await u.send('word '.repeat(150_000))
  const next = await u.send('and now?')
  hold.open()
  expect(await first.completion).toMatchObject({ finishReason: 'complete' })
  const { finishReason, error } = await long.completion
  expect([finishReason, error]).toEqual(['error', expect.stringContaining('do not fit into the 102400 tokens')])
  expect(await next.completion).toMatchObject({ finishReason: 'complete' })
})

test('a message is kept exactly as it was written', async () => {
  const u = await segnoUnderTest({ script: {} })
  const content = ' tabs\tand\r\nlines \u0000 \u202eright to left 👨‍👩‍👧‍👦 {{message}} $& "quotes" \\ <b>'
  await u.ask(content)
  expect(said(await u.events(), 'message.user')).toEqual([{ content: [{ type: 'text', text: content }] }])
  await u.reopen()
  expect(said(await u.events(), 'message.user')).toEqual([{ content: [{ type: 'text', text: content }] }])
})

const SESSIONS: readonly unknown[] = ['nowhere', '', "'; DROP TABLE sessions; --", '\u0000', undefined, null, 7, {}]

for (const sessionId of SESSIONS) {
  test(`a session called ${JSON.stringify(sessionId)} is not there`, async () => {
    const u = await segnoUnderTest()
    expect((await problemOf(u.segno.streamRequest(sessionId as string, 'hello'))).code).toBe('NOT_FOUND')
    expect((await problemOf(u.segno.sessions.messages(LOCAL_OWNER, sessionId as string))).code).toBe('NOT_FOUND')
    expect((await problemOf(u.segno.rounds.get(LOCAL_OWNER, sessionId as string))).code).toBe('NOT_FOUND')
  })
}

const OPTIONS: readonly [string, unknown, string][] = [
  ['a model nobody knows', { model: 'gpt-99' }, 'model'],
  ['a protocol nobody knows', { protocol: 'three-stage' }, 'protocol'],
  ['a mode nobody knows', { mode: 'destroy' }, 'mode'],
  ['a way to be busy nobody knows', { onBusy: 'shrug' }, 'onBusy'],
  ['a way to show results nobody knows', { toolResultsAs: 'poem' }, 'toolResultsAs'],
  ['a limit nobody knows', { limits: { maxFun: 1 } }, 'limits.maxFun'],
  ['a limit that is not one', { limits: { toString: 1 } }, 'limits.toString'],
  ['a negative limit', { limits: { maxIterations: -1 } }, 'limits.maxIterations'],
  ['a broken limit', { limits: { toolMs: 0.5 } }, 'limits.toolMs'],
  ['a limit in words', { limits: { totalMs: 'an hour' } }, 'limits.totalMs'],
  ['a limit without an end', { limits: { totalMs: Infinity } }, 'limits.totalMs'],
]

for (const [what, options, field] of OPTIONS) {
  test(`${what} is refused, and the message is not stored`, async () => {
    const u = await segnoUnderTest()
    const before = await u.events()
    const doing = u.segno.rounds.send(LOCAL_OWNER, u.sessionId, 'hello', options as SendOptions)
    expect(await problemOf(doing)).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(await u.events()).toEqual(before)
  })
}

test('a limit may be lowered to nothing, and the round still ends', async () => {
  const u = await segnoUnderTest({ script: {} })
  for (const limit of ['maxIterations', 'maxToolCalls', 'totalMs', 'toolMs'] as const) {
    expect((await u.ask('hello', { limits: { [limit]: 0 } })).finishReason).not.toBe(null)
  }
})
