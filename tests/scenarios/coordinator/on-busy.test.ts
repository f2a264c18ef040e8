import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { textOf } from '../../../src/contract/message.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

const script = (tool: string) => ({
  scenarios: [{ when: '^busy', turns: [{ text: 'One moment.', calls: [{ name: tool }] }, { text: 'There.' }] }],
})

verifies('COO-4', 'a message that will not wait is refused by a busy session, and not stored', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
  const running = await u.send('busy')
  await hold.entered
  expect((await problemOf(u.send('now', { onBusy: 'reject' }))).code).toBe('BUSY')
  hold.open()
  await running.completion
  expect(said(await u.events(), 'message.user')).toHaveLength(1)
})

verifies('COO-4', 'a message that will not wait is taken by an idle session', async () => {
  const u = await segnoUnderTest()
  expect(await u.send('now', { onBusy: 'reject' })).toMatchObject({ state: 'running' })
})

verifies('COO-4', 'a session that waits for a person is busy', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], script: script('mail') })
  await u.askUntilWaiting('busy')
  expect((await problemOf(u.send('now', { onBusy: 'reject' }))).code).toBe('BUSY')
})

verifies(['COO-4', 'COO-5'], 'an interrupting message ends the running round and is answered next', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
  const running = await u.send('busy')
  await hold.entered
  const urgent = await u.send('stop that', { onBusy: 'interrupt' })
  expect(await running.completion).toMatchObject({
    finishReason: 'cancelled',
    content: '(Stopped for a new message.)',
    calls: [{ name: 'hold', outcome: 'cancelled' }],
  })
  expect(await urgent.completion).toMatchObject({ finishReason: 'complete', content: 'Echo: stop that' })
  expect(said(await u.events(), 'round.asked')).toMatchObject([{ what: 'interrupt' }])
})

verifies('COO-4', 'an interrupting message closes what a waiting round asked, and nothing of it is done', async () => {
  const mail = probe('mail', { effect: 'unsafe', approval: 'ask' })
  const u = await segnoUnderTest({ tools: [mail], script: script('mail') })
  const { round, approvals } = await u.askUntilWaiting('busy')
  const urgent = await u.send('never mind', { onBusy: 'interrupt' })
  expect((await round.completion).finishReason).toBe('cancelled')
  expect((await urgent.completion).finishReason).toBe('complete')
  expect(await u.segno.rounds.approvals(LOCAL_OWNER)).toMatchObject([{ id: approvals[0]?.id, status: 'stale' }])
  expect(mail.runs).toHaveLength(0)
})

verifies('COO-4', 'an interrupting message goes before those that wait their turn', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
  await u.send('busy')
  await hold.entered
  const patient = await u.send('patient')
  await u.send('urgent', { onBusy: 'interrupt' })
  await patient.completion
  const order = said(await u.events(), 'message.user').map(({ content }) => textOf(content))
  expect(order).toEqual(['busy', 'urgent', 'patient'])
})

verifies('COO-4', 'of two interrupting messages the later one is answered, and both have their round', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
  await u.send('busy')
  await hold.entered
  const [first, second] = await Promise.all(
    ['first', 'second'].map((content) => u.send(content, { onBusy: 'interrupt' })),
  )
  expect((await first?.completion)?.finishReason).toBe('cancelled')
  expect((await second?.completion)?.finishReason).toBe('complete')
})

verifies(['COO-4', 'LIN-5'], 'what was interrupted is a conversation that can go on', async () => {
  const hold = gateTool('hold', { effect: 'unsafe' })
  const u = await segnoUnderTest({ tools: [hold], script: script('hold') })
  await u.send('busy')
  await hold.entered
  await (
    await u.send('stop that', { onBusy: 'interrupt' })
  ).completion
  const messages = await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)
  expect(messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
    ['user', 'text'],
    ['assistant', 'text', 'tool_use'],
    ['user', 'tool_result'],
    ['assistant', 'text'],
    ['user', 'text'],
    ['assistant', 'text'],
  ])
})
