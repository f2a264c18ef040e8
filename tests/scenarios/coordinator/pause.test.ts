import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const TURNS = [{ calls: [{ name: 'hold' }] }, { text: 'There.' }]

/** A round that has come to rest after its first result. */
async function paused(protocol: Protocol = 'unified') {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: TURNS })
  const round = await u.send('Go.', { protocol })
  await hold.entered
  await u.segno.rounds.pause(LOCAL_OWNER, round.requestId)
  hold.open()
  await u.until('round.paused')
  return { u, round, hold }
}

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('COO-2', `a pause takes effect after the next stored result (${protocol})`, async () => {
    const { u, round } = await paused(protocol)
    const types = (await u.events()).map(({ type }) => type)
    const result = types.indexOf('tool.result')
    expect(types.indexOf('round.asked')).toBeLessThan(result)
    expect(types.slice(result).filter((type) => !type.startsWith('phase.'))).toEqual(['tool.result', 'round.paused'])
    expect((await u.segno.rounds.get(LOCAL_OWNER, round.requestId)).state).toBe('paused')
    expect(u.requests).toHaveLength(1)
  })

  verifies('COO-2', `a paused round goes on where it was when it is resumed (${protocol})`, async () => {
    const { u, round, hold } = await paused(protocol)
    await u.segno.rounds.resume(LOCAL_OWNER, round.requestId)
    expect(await round.completion).toMatchObject({ finishReason: 'complete', content: 'There.' })
    expect(hold.runs).toHaveLength(1)
  })
}

verifies(['COO-2', 'REL-1'], 'a pause survives a restart, and nothing happens until it is resumed', async () => {
  const { u, round, hold } = await paused()
  await u.reopen()
  expect((await u.segno.rounds.get(LOCAL_OWNER, round.requestId)).state).toBe('paused')
  expect(u.requests).toHaveLength(0)
  await u.segno.rounds.resume(LOCAL_OWNER, round.requestId)
  expect(await u.segno.completion(u.sessionId, round.requestId)).toMatchObject({ finishReason: 'complete' })
  expect(hold.runs).toHaveLength(1)
})

test('a pause waits until no call is owed', async () => {
  const hold = gateTool('hold', { effect: 'keyed' })
  const look = probe('look', { effect: 'keyed' })
  const turns = [{ calls: [{ name: 'hold' }, { name: 'look' }] }, { text: 'There.' }]
  const u = await segnoUnderTest({ tools: [hold, look], turns })
  const round = await u.send()
  await hold.entered
  await u.segno.rounds.pause(LOCAL_OWNER, round.requestId)
  hold.open()
  await u.until('round.paused')
  expect(look.runs).toHaveLength(1)
})

test('a pause of a round that ends first has no effect, then or later', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'one two', deltaChars: 1, delayMs: 5 }] })
  const round = await u.send()
  await u.segno.rounds.pause(LOCAL_OWNER, round.requestId)
  expect((await round.completion).finishReason).toBe('complete')
  expect((await u.ask('again')).finishReason).toBe('complete')
  expect((await u.events()).map(({ type }) => type)).not.toContain('round.paused')
})

test('pausing twice is pausing once', async () => {
  const { u, round } = await paused()
  await u.segno.rounds.pause(LOCAL_OWNER, round.requestId).catch(() => {})
  await u.segno.rounds.resume(LOCAL_OWNER, round.requestId)
  await round.completion
  expect((await u.events()).filter(({ type }) => type === 'round.paused')).toHaveLength(1)
  expect((await u.events()).filter(({ type }) => type === 'round.asked')).toHaveLength(1)
})

test('resuming twice is resuming once', async () => {
  const { u, round } = await paused()
  await Promise.allSettled([1, 2].map(() => u.segno.rounds.resume(LOCAL_OWNER, round.requestId)))
  await round.completion
  expect((await u.events()).filter(({ type }) => type === 'round.resumed')).toHaveLength(1)
})

test('a round that has ended, or runs, cannot be resumed', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: TURNS })
  const round = await u.send()
  await hold.entered
  expect((await problemOf(u.segno.rounds.resume(LOCAL_OWNER, round.requestId))).code).toBe('CONFLICT')
  hold.open()
  await round.completion
  expect((await problemOf(u.segno.rounds.resume(LOCAL_OWNER, round.requestId))).code).toBe('CONFLICT')
})

test('a cancelled round cannot be resumed', async () => {
  const { u, round } = await paused()
  await round.cancel()
  expect((await round.completion).finishReason).toBe('cancelled')
  expect((await problemOf(u.segno.rounds.resume(LOCAL_OWNER, round.requestId))).code).toBe('CONFLICT')
})

test('a round that has ended cannot be paused', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const { requestId } = await u.ask()
  expect((await problemOf(u.segno.rounds.pause(LOCAL_OWNER, requestId))).code).toBe('CONFLICT')
})

test('the time a round is paused does not count as its own', async () => {
  let now = 1_700_000_000_000
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: TURNS, clock: { now: () => now }, limits: { TOTAL_MS: 1000 } })
  const round = await u.send()
  await hold.entered
  await u.segno.rounds.pause(LOCAL_OWNER, round.requestId)
  hold.open()
  await u.until('round.paused')
  now += 3_600_000
  await u.segno.rounds.resume(LOCAL_OWNER, round.requestId)
  expect((await round.completion).finishReason).toBe('complete')
})
