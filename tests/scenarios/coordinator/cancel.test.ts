import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Store } from '../../../src/store/index.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { ownTime } from '../../support/own-time.ts'

const A_SECOND = 1000

/** Cancels the round and tells how long its end took, but for what others did on this machine. */
async function timeToCancel(round: { cancel(): Promise<void>; completion: Promise<{ finishReason: unknown }> }) {
  const took = ownTime()
  await round.cancel()
  expect((await round.completion).finishReason).toBe('cancelled')
  return took()
}

verifies('COO-5', 'cancelling reaches a model that is talking, within a second', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'x'.repeat(1000), deltaChars: 1, delayMs: 20 }] })
  const round = await u.send()
  await firstDelta(u, round.requestId)
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
  expect(u.requests[0]?.abortSignal?.aborted).toBe(true)
})

verifies('COO-5', 'cancelling reaches a model that says nothing, within a second', async () => {
  const u = await segnoUnderTest({ turns: [{ fault: { kind: 'stall' } }] })
  const round = await u.send()
  await eventually(() => u.requests.length === 1)
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
})

verifies('COO-5', 'cancelling reaches a model that does not listen, within a second', async () => {
  const deaf = { doStream: () => new Promise<never>(() => {}) }
  const u = await segnoUnderTest({ model: (model) => ({ ...model, ...deaf }) })
  const round = await u.send()
  await eventually(() => u.requests.length === 1)
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
})

verifies('COO-5', 'cancelling reaches a round that waits to try again, within a second', async () => {
  const fault = { kind: 'overloaded' as const, retryAfterMs: 60_000 }
  const u = await segnoUnderTest({ turns: [{ fault }] })
  const round = await u.send()
  await u.until('turn.retried')
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
})

verifies('COO-5', 'cancelling reaches a running tool and its child process within a second', async () => {
  const pids: number[] = []
  const sleep = probe('sleep', {
    effect: 'unsafe',
    async run(_args, { signal }) {
      const child = spawn('sleep', ['60'], { signal })
      pids.push(child.pid ?? 0)
      child.on('error', () => {})
      await once(child, 'close')
      return 'rested'
    },
  })
  const u = await segnoUnderTest({ tools: [sleep], turns: [{ calls: [{ name: 'sleep' }] }] })
  const round = await u.send()
  await eventually(() => pids.length === 1)
  const took = await timeToCancel(round)
  await eventually(() => !isAlive(pids[0] as number))
  expect(took).toBeLessThan(A_SECOND)
})

verifies('COO-5', 'cancelling does not wait for a tool that does not listen', async () => {
  const stubborn = probe('stubborn', { effect: 'unsafe', run: () => new Promise(() => {}) })
  const u = await segnoUnderTest({ tools: [stubborn], turns: [{ calls: [{ name: 'stubborn' }] }] })
  const round = await u.send()
  await eventually(() => stubborn.runs.length === 1)
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
  expect(said(await u.events(), 'tool.result')).toMatchObject([{ outcome: 'cancelled', effect: 'unknown' }])
})

verifies('COO-5', 'cancelling ends a round that waits for a person, and what it asked is stale', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }] })
  const { round } = await u.askUntilWaiting()
  expect(await timeToCancel(round)).toBeLessThan(A_SECOND)
  expect(await u.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject([{ status: 'stale' }])
  expect(mail.runs).toHaveLength(0)
})

test('a cancelled turn keeps the text it had, marked', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'half of it', fault: { kind: 'stall', afterDeltas: 1 } }] })
  const round = await u.send()
  await firstDelta(u, round.requestId)
  await round.cancel()
  await round.completion
  expect(said(await u.events(), 'message.assistant')).toMatchObject([
    { content: [{ text: 'half of it' }], interrupted: true, stopReason: 'cancelled' },
    { content: [{ text: '(Stopped on request.)' }], own: true, final: true },
  ])
})

test('a cancelled turn never keeps half a call', async () => {
  const calls = [{ name: 'hold', args: { long: 'x'.repeat(50) } }]
  const turns = [{ calls, argDeltas: 10, fault: { kind: 'stall' as const, afterDeltas: 4 } }]
  const u = await segnoUnderTest({ tools: [gateTool()], turns })
  const round = await u.send()
  await firstDelta(u, round.requestId)
  await round.cancel()
  await round.completion
  expect(JSON.stringify(await u.events())).not.toContain('tool_use')
})

test('a session goes on after a cancelled round', async () => {
  const script = { scenarios: [{ when: 'stall', turns: [{ fault: { kind: 'stall' as const } }] }] }
  const u = await segnoUnderTest({ script })
  const round = await u.send('stall')
  await round.cancel()
  await round.completion
  expect(await u.ask('hello')).toMatchObject({ content: 'Echo: hello' })
})

test('cancelling a round that is not there is refused, and changes nothing', async () => {
  const u = await segnoUnderTest()
  const { requestId } = await u.ask()
  const { id: elsewhere } = await u.segno.createSession()
  const before = await u.events()
  const absent = { code: 'NOT_FOUND' }
  await expect(u.segno.rounds.cancel(LOCAL_OWNER, u.sessionId, 'no-such-round')).rejects.toMatchObject(absent)
  await expect(u.segno.rounds.cancel(LOCAL_OWNER, elsewhere, requestId)).rejects.toMatchObject(absent)
  expect(await u.events()).toEqual(before)
})

test('cancelling a round that has ended succeeds and stores nothing', async () => {
  const u = await segnoUnderTest()
  const { requestId } = await u.ask()
  const before = await u.events()
  await u.segno.close()
  const inputs: string[] = []
  const noting = (store: Store): Store => ({
    ...store,
    putInput(input, ...more) {
      inputs.push(input.body.kind)
      return store.putInput(input, ...more)
    },
  })
  const again = await composeUnderTest(
    { home: u.home, env: {}, durability: 'normal' },
    { store: (open) => noting(open()) },
  )
  for (let i = 0; i < 3; i++) await again.rounds.cancel(LOCAL_OWNER, u.sessionId, requestId)
  expect(inputs).toEqual([])
  expect(await again.sessions.events(LOCAL_OWNER, u.sessionId)).toEqual(before)
  await again.close()
})

async function firstDelta(u: SegnoUnderTest, requestId: string): Promise<void> {
  for await (const frame of u.segno.follow(u.sessionId, { requestId })) if (frame.kind === 'pulse') return
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
