import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { person } from './support/people.ts'
import { problemOf } from './support/problem-of.ts'
import { channelMessage, recordingChannel } from './support/recording-channel.ts'

const deliver = (u: SegnoUnderTest, content: string, id = 'm1') =>
  u.segno.handleMessage(channelMessage(content, { id }), recordingChannel(), { id: u.sessionId })

const userMessages = async (u: SegnoUnderTest): Promise<number> => said(await u.events(), 'message.user').length

verifies(
  ['ORC-4', 'REL-3'],
  'a message delivered again later is the same round, and nothing happens twice',
  async () => {
    const mail = probe('mail', { effect: 'unsafe' })
    const u = await segnoUnderTest({ tools: [mail], turns: [{ calls: [{ name: 'mail' }] }, { text: 'sent' }] })
    const first = await deliver(u, 'send it')
    const second = await deliver(u, 'send it')
    expect(second).toEqual(first)
    expect(mail.runs).toHaveLength(1)
    expect(await userMessages(u)).toBe(1)
  },
)

verifies(['ORC-4', 'REL-3'], 'a message delivered many times at once is one round', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi', delayMs: 5, deltaChars: 1 }] })
  const all = await Promise.all(Array.from({ length: 10 }, () => deliver(u, 'hello')))
  expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(1)
  expect(all.every(({ content }) => content === 'hi')).toBe(true)
  expect(await userMessages(u)).toBe(1)
})

verifies(['ORC-4', 'REL-3'], 'a message delivered many times at once to a busy session is queued once', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi', delayMs: 10, deltaChars: 1 }] })
  const running = await u.send('something else')
  const all = await Promise.all(Array.from({ length: 10 }, () => deliver(u, 'hello')))
  await running.completion
  expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(1)
  expect(await userMessages(u)).toBe(2)
})

verifies(['ORC-4', 'REL-1'], 'a message delivered again after a restart is the same round', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const first = await deliver(u, 'hello')
  await u.reopen()
  expect(await deliver(u, 'hello')).toEqual(first)
  expect(await userMessages(u)).toBe(1)
})

verifies(['ORC-4', 'REL-3'], 'another message under a used id is refused', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await deliver(u, 'hello')
  expect((await problemOf(deliver(u, 'goodbye'))).code).toBe('IDEMPOTENCY_MISMATCH')
  expect(await userMessages(u)).toBe(1)
})

verifies('ORC-4', 'messages of different users and channels may have the same id', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const rounds = [
    await u.segno.handleMessage(channelMessage('hello'), recordingChannel()),
    await u.segno.handleMessage(channelMessage('hello', { userId: 'bob' }), recordingChannel()),
    await u.segno.handleMessage(channelMessage('hello'), recordingChannel(undefined, 'phone')),
    await u.segno.handleMessage(channelMessage('hello'), recordingChannel(undefined, 'other'), undefined, {
      actor: person('eve'),
    }),
  ]
  expect(new Set(rounds.map(({ requestId }) => requestId)).size).toBe(4)
})

verifies('ORC-4', 'streamRequest joins the round of a message id in the same way', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const first = await u.send('hello', { messageId: 'x' })
  const second = await u.send('hello', { messageId: 'x' })
  expect(second.requestId).toBe(first.requestId)
  expect(await second.completion).toEqual(await first.completion)
  expect((await problemOf(u.send('other', { messageId: 'x' }))).code).toBe('IDEMPOTENCY_MISMATCH')
})

verifies('REL-3', 'a round id that is taken is not taken again', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const { requestId } = await u.ask('hello')
  const again = u.segno.rounds.send(LOCAL_OWNER, u.sessionId, 'other', { requestId })
  expect((await problemOf(again)).code).toBe('CONFLICT')
  expect(await u.ask('still there')).toMatchObject({ finishReason: 'complete' })
})
