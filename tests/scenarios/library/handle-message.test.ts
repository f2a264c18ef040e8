import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { problemOf } from './support/problem-of.ts'
import { channelMessage, recordingChannel } from './support/recording-channel.ts'

verifies('ORC-4', 'a channel hears the text as it comes, and then that it is complete', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'Hello there, Ada.', deltaChars: 4, delayMs: 1 }] })
  const channel = recordingChannel()
  const completion = await u.segno.handleMessage(channelMessage('hi'), channel)
  expect(completion).toMatchObject({ finishReason: 'complete', content: 'Hello there, Ada.' })
  expect(channel.text).toBe('Hello there, Ada.')
  expect(channel.heard.length).toBeGreaterThan(2)
  expect(channel.heard.indexOf('complete')).toBe(channel.heard.length - 1)
})

verifies('ORC-4', 'a channel hears once of every call, when it begins, and then how it went', async () => {
  const look = probe('look')
  const fail = probe('fail', { run: () => Promise.reject(new Error('no')) })
  const turns = [
    { text: 'Looking.', calls: [{ name: 'look', args: { far: 'away' } }, { name: 'fail' }], argDeltas: 7, delayMs: 1 },
    { text: 'Done.' },
  ]
  const u = await segnoUnderTest({ tools: [look, fail], turns })
  const channel = recordingChannel()
  await u.segno.handleMessage(channelMessage('hi'), channel)
  const calls = channel.heard.filter((line) => /^(start|result)/.test(line))
  expect(calls).toEqual(['start look', 'start fail', 'result look true', 'result fail false'])
})

verifies('ORC-4', 'a channel that only takes text needs no more than that', async () => {
  const u = await segnoUnderTest({ tools: [probe('look')], turns: [{ calls: [{ name: 'look' }] }, { text: 'ok' }] })
  let text = ''
  const channel = { name: 'plain', streamDelta: (delta: string) => void (text += delta), streamComplete: () => {} }
  expect(await u.segno.handleMessage(channelMessage('hi'), channel)).toMatchObject({ finishReason: 'complete' })
  expect(text).toBe('ok')
})

verifies(['ORC-4', 'ORC-5'], 'each user of a channel has a session, found by its alias', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const channel = recordingChannel()
  const first = await u.segno.handleMessage(channelMessage('one'), channel)
  const second = await u.segno.handleMessage(channelMessage('two', { id: 'm2' }), channel)
  const other = await u.segno.handleMessage(channelMessage('three', { id: 'm3', userId: 'bob' }), channel)
  expect(second.sessionId).toBe(first.sessionId)
  expect(other.sessionId).not.toBe(first.sessionId)
  const found = await u.segno.sessions.byAlias(LOCAL_OWNER, 'desk:ada')
  expect(found).toMatchObject({ id: first.sessionId, alias: 'desk:ada' })
  expect(other.sessionId).not.toContain('bob')
})

verifies('ORC-5', 'the same user at another channel has another session', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const here = await u.segno.handleMessage(channelMessage('one'), recordingChannel())
  const there = await u.segno.handleMessage(channelMessage('one'), recordingChannel(undefined, 'phone'))
  expect(there.sessionId).not.toBe(here.sessionId)
})

test('two first messages of a user at once share one session', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const channel = recordingChannel()
  const both = await Promise.all(
    ['m1', 'm2'].map((id) => u.segno.handleMessage(channelMessage('hello', { id }), channel)),
  )
  expect(both.map(({ finishReason }) => finishReason)).toEqual(['complete', 'complete'])
  expect(both[0]?.sessionId).toBe(both[1]?.sessionId)
})

verifies('ORC-4', 'a message can be given a session of its own', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const { sessionId } = await u.segno.handleMessage(channelMessage('one'), recordingChannel(), { id: u.sessionId })
  expect(sessionId).toBe(u.sessionId)
})

test('a message for a session that is not there is refused', async () => {
  const u = await segnoUnderTest()
  const refused = u.segno.handleMessage(channelMessage('one'), recordingChannel(), { id: 'nowhere' })
  expect((await problemOf(refused)).code).toBe('NOT_FOUND')
})

test('a channel that was not there while the text streamed gets what it missed', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'Hello there.', deltaChars: 2 }] })
  await u.segno.handleMessage(channelMessage('hi'), recordingChannel())
  const late = recordingChannel()
  await u.segno.handleMessage(channelMessage('hi'), late)
  expect(late.heard).toEqual(['delta Hello there.', 'complete'])
})

test('a channel that breaks while it is told something does not stop the round', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'Hello there.', deltaChars: 2, delayMs: 2 }] })
  const broken = {
    ...recordingChannel(),
    streamDelta: () => {
      throw new Error('the line is dead')
    },
  }
  await expect(u.segno.handleMessage(channelMessage('hi'), broken)).rejects.toThrow('the line is dead')
  const again = recordingChannel()
  expect(await u.segno.handleMessage(channelMessage('hi'), again)).toMatchObject({ content: 'Hello there.' })
})
