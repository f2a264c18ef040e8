import { expect, test } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventually } from '../library/support/eventually.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { person } from '../library/support/people.ts'

const HOLDING = [{ calls: [{ name: 'hold' }] }, { text: 'ok' }]

/** One message in a new session of this actor. */
async function inNewSession(u: SegnoUnderTest, content = 'Go.', actor: Actor = LOCAL_OWNER) {
  const { id } = await u.segno.createSession({}, { actor })
  return u.send(content, { sessionId: id, actor })
}

verifies('COO-4', 'no more rounds run at once than may; the others wait and then run', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: HOLDING, limits: { MAX_ROUNDS: 2 } })
  const rounds = [await inNewSession(u), await inNewSession(u), await inNewSession(u), await inNewSession(u)]
  expect(rounds.map(({ state }) => state)).toEqual(['running', 'running', 'queued', 'queued'])
  await eventually(() => hold.runs.length === 2)
  expect(u.segno.stats()).toMatchObject({ running: 2, queued: 2 })
  hold.open()
  const ended = await Promise.all(rounds.map(({ completion }) => completion))
  expect(ended.map(({ finishReason }) => finishReason)).toEqual(rounds.map(() => 'complete'))
  await eventually(() => u.segno.stats().running === 0)
  expect(u.segno.stats().queued).toBe(0)
})

/** Ada asks six times, in sessions of their own or all in one, then another asks once: in which order are they answered? */
async function orderOfAnswers(other: Actor, sessions: 'many' | 'one' = 'many'): Promise<string[]> {
  const ada = person('ada', 'here')
  const hold = gateTool()
  const script = { scenarios: [{ when: '^busy', turns: HOLDING }] }
  const u = await segnoUnderTest({ tools: [hold], script, limits: { MAX_ROUNDS: 1 } })
  const busy = await inNewSession(u, 'busy')
  const shared = await u.segno.createSession({}, { actor: ada })
  const order: string[] = []
  const noted = (name: string, { completion }: { completion: Promise<unknown> }) =>
    completion.then(() => order.push(name))
  const waiting = [busy.completion as Promise<unknown>]
  for (let i = 0; i < 6; i++) {
    const { id: sessionId } = sessions === 'one' ? shared : await u.segno.createSession({}, { actor: ada })
    waiting.push(noted('ada', await u.send('hello', { sessionId, actor: ada })))
  }
  waiting.push(noted('other', await inNewSession(u, 'hello', other)))
  hold.open()
  await Promise.all(waiting)
  return order
}

verifies('COO-4', 'who asks for one round does not wait for one who asked for many', async () => {
  expect((await orderOfAnswers(person('bob', 'here'))).indexOf('other')).toBeLessThan(2)
})

verifies('COO-4', 'who asks for one round does not wait for one who sent many messages to one session', async () => {
  expect((await orderOfAnswers(person('bob', 'here'), 'one')).indexOf('other')).toBeLessThan(2)
})

verifies('COO-4', 'a namesake in another tenant is somebody else', async () => {
  expect((await orderOfAnswers(person('ada', 'there'))).indexOf('other')).toBeLessThan(2)
})

verifies('COO-4', 'a round that waits for a person holds no slot', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const script = { scenarios: [{ when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'sent' }] }] }
  const u = await segnoUnderTest({ tools: [mail], script, limits: { MAX_ROUNDS: 1 } })
  const { round, approvals } = await u.askUntilWaiting('mail')
  expect((await (await inNewSession(u)).completion).finishReason).toBe('complete')
  await u.decide(approvals[0], 'approve')
  expect((await round.completion).finishReason).toBe('complete')
})

verifies('COO-4', 'a round that is paused holds no slot', async () => {
  const hold = gateTool()
  const script = { scenarios: [{ when: '^hold', turns: HOLDING }] }
  const u = await segnoUnderTest({ tools: [hold], script, limits: { MAX_ROUNDS: 1 } })
  const { requestId } = await u.send('hold')
  await hold.entered
  await u.segno.rounds.pause(LOCAL_OWNER, requestId)
  hold.open()
  await u.until('round.paused')
  expect((await (await inNewSession(u)).completion).finishReason).toBe('complete')
})

verifies('COO-4', 'a round that was decided takes a slot again, and waits for one if it must', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const hold = gateTool()
  const script = {
    scenarios: [
      { when: '^mail', turns: [{ calls: [{ name: 'mail' }] }, { text: 'sent' }] },
      { when: '^hold', turns: HOLDING },
    ],
  }
  const u = await segnoUnderTest({ tools: [mail, hold], script, limits: { MAX_ROUNDS: 1 } })
  const { round, approvals } = await u.askUntilWaiting('mail')
  const holding = await inNewSession(u, 'hold')
  await hold.entered
  await u.decide(approvals[0], 'approve')
  expect(u.segno.stats().running).toBe(1)
  expect(mail.runs).toHaveLength(0)
  hold.open()
  await holding.completion
  expect((await round.completion).calls).toMatchObject([{ outcome: 'ok' }])
})

test('a slot is free again after a round failed, was cancelled and ran out of time', async () => {
  const script = {
    scenarios: [
      { when: 'fail', turns: [{ fault: { kind: 'error' as const, status: 400 } }] },
      { when: 'stall', turns: [{ fault: { kind: 'stall' as const } }] },
    ],
  }
  const u = await segnoUnderTest({ script, limits: { MAX_ROUNDS: 1 } })
  await u.ask('fail')
  await u.ask('stall', { timeoutMs: 10 })
  const stalled = await u.send('stall')
  await stalled.cancel()
  await stalled.completion
  expect(await u.ask('hello')).toMatchObject({ finishReason: 'complete' })
  await eventually(() => u.segno.stats().running === 0)
})
