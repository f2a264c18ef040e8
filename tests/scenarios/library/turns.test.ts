import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Turn } from '../../../src/contract/turn.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { problemOf } from './support/problem-of.ts'

interface Seen {
  readonly turn: Turn
  readonly at: number
}

async function watch(turns: AsyncIterable<Turn>): Promise<Seen[]> {
  const seen: Seen[] = []
  for await (const turn of turns) seen.push({ turn, at: performance.now() })
  return seen
}

/** How each turn looked last. */
const pictures = (seen: readonly Seen[]): Turn[] => [...new Map(seen.map(({ turn }) => [turn.index, turn])).values()]

const SLOW = { text: 'one two three four five six seven', deltaChars: 1, delayMs: 8 }
const TWO_TURNS = [{ text: 'Let me look.', calls: [{ name: 'look', args: { at: 'it' } }] }, { text: 'It is fine.' }]

verifies('COO-1', 'a turn is shown when it starts, while it grows, and when it ends', async () => {
  const u = await segnoUnderTest({ turns: [SLOW] })
  const seen = (await watch((await u.send()).turns)).map(({ turn }) => turn)
  expect(seen.at(0)).toMatchObject({ index: 1, status: 'streaming', content: '' })
  expect(seen.at(-1)).toMatchObject({ index: 1, status: 'completed', content: SLOW.text })
  expect(seen.length).toBeGreaterThan(3)
  seen.reduce((before, turn) => {
    expect(turn.content.startsWith(before.content)).toBe(true)
    return turn
  })
})

verifies('COO-1', 'while it grows, a turn is shown at most every 50 ms', async () => {
  const u = await segnoUnderTest({ turns: [SLOW] })
  const growing = (await watch((await u.send()).turns)).filter(
    ({ turn }) => turn.status === 'streaming' && turn.content !== '' && turn.content !== SLOW.text,
  )
  const gaps = growing.slice(1).map(({ at }, i) => at - (growing[i] as Seen).at)
  expect(gaps.length).toBeGreaterThan(1)
  for (const gap of gaps) expect(gap).toBeGreaterThan(47)
})

verifies('COO-1', 'a model that is fast costs its readers few frames', async () => {
  const text = 'x'.repeat(20_000)
  const u = await segnoUnderTest({ turns: [{ text, deltaChars: 1 }] })
  const started = performance.now()
  const seen = await watch((await u.send()).turns)
  const tookMs = performance.now() - started
  expect(seen.at(-1)?.turn.content).toBe(text)
  expect(seen.length).toBeLessThan(10 + tookMs / 50)
})

verifies('COO-1', 'several readers, one that comes in the middle and one that comes late see the same', async () => {
  const look = probe('look', { run: () => setTimeout(30, 'seen') })
  const u = await segnoUnderTest({
    tools: [look],
    turns: [{ ...TWO_TURNS[0], delayMs: 5, deltaChars: 2 }, SLOW],
  })
  const { turns, completion } = await u.send()
  const early = [watch(turns), watch(turns)]
  await setTimeout(40)
  const middle = watch(turns)
  await completion
  const all = await Promise.all([...early, middle, watch(turns)])
  const [first, ...others] = all.map(pictures)
  expect(first).toHaveLength(2)
  for (const other of others) expect(other).toEqual(first)
})

verifies(['COO-1', 'COO-2'], 'a turn tells its calls, how they came out, its tokens and its times', async () => {
  const look = probe('look')
  const usage = { input: 12, output: 34 }
  const u = await segnoUnderTest({ tools: [look], turns: [{ ...TWO_TURNS[0], usage }, { text: 'It is fine.' }] })
  const before = Date.now()
  const [turn] = pictures(await watch((await u.send()).turns))
  expect(turn).toMatchObject({
    status: 'completed',
    content: 'Let me look.',
    toolCalls: [{ name: 'look', args: '{"at":"it"}', outcome: 'ok' }],
    usage,
  })
  expect(turn?.startedAt).toBeGreaterThanOrEqual(before)
  expect(turn?.endedAt).toBeGreaterThanOrEqual(turn?.startedAt ?? Infinity)
})

verifies('COO-1', 'the turns of a round that failed end with an error that says why', async () => {
  const u = await segnoUnderTest({ turns: [{ fault: { kind: 'error', status: 401 } }] })
  const request = await u.send()
  const problem = await problemOf(watch(request.turns))
  expect(problem.code).toBe('MODEL_ERROR')
  expect(problem.message).toContain('the key was refused')
})

verifies('COO-1', 'a reader who comes after a round failed gets its turns and then the same error', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'half', fault: { kind: 'error', status: 400, afterDeltas: 1 } }] })
  const request = await u.send()
  await request.completion
  const seen: Turn[] = []
  const problem = await problemOf(async () => {
    for await (const turn of request.turns) seen.push(turn)
  })
  expect(problem.message).toContain('400')
  expect(seen.at(-1)).toMatchObject({ status: 'error', content: 'half' })
})

verifies('COO-5', 'a reader who goes away does not cancel the round', async () => {
  const u = await segnoUnderTest({ turns: [SLOW] })
  const request = await u.send()
  for await (const _ of request.turns) break
  expect(await request.completion).toMatchObject({ finishReason: 'complete', content: SLOW.text })
})

test('the turns of a round that waited for a person go on after the decision', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }, { text: 'Sent.' }] })
  const { round, approvals } = await u.askUntilWaiting()
  const watching = watch(round.turns)
  await u.decide(approvals[0], 'approve')
  expect(pictures(await watching).map((turn) => turn.status)).toEqual(['completed', 'completed'])
})

test('the turns of a queued round start once it is its turn', async () => {
  const u = await segnoUnderTest({ turns: [SLOW] })
  const first = await u.send('first')
  const second = await u.send('second')
  const watching = watch(second.turns)
  await Promise.all([first.completion, second.completion])
  const seen = await watching
  expect(seen.at(-1)?.turn.content).toBe(SLOW.text)
  expect(new Set(seen.map(({ turn }) => turn.requestId))).toEqual(new Set([second.requestId]))
})

test('the turns end quietly when the session is deleted', async () => {
  const u = await segnoUnderTest({ turns: [{ text: '…', fault: { kind: 'stall', afterDeltas: 1 } }] })
  const request = await u.send()
  const watching = watch(request.turns)
  await u.until('turn.started')
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  expect(pictures(await watching)).toHaveLength(1)
})
