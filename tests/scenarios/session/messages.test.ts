import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Message } from '../../../src/contract/message.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { range } from '../library/support/frames.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { expectWellFormed } from './support/conversation-rules.ts'
import { richSession } from './support/rich-session.ts'

const textsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))

for (const protocol of ['unified', 'triggered'] as const) {
  verifies('LIN-5', `the conversation as of any event is one a provider would take (${protocol})`, async () => {
    const { u } = await richSession(protocol)
    const events = await u.events()
    let before: Message[] = []
    for (const at of range(0, events.length)) {
      const messages = await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId, at)
      expectWellFormed(messages)
      expect(messages.length).toBeGreaterThanOrEqual(before.length)
      before = messages
    }
    expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)).toEqual(before)
  })
}

verifies('LIN-5', 'the conversation holds every word of both sides, in order', async () => {
  const { u } = await richSession('unified')
  const texts = textsOf(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId))
  expect(texts).toEqual([
    'hello',
    'Echo: hello',
    'work',
    'First I look.',
    'Now two mails.',
    'All done.',
    'thanks',
    'Echo: thanks',
  ])
})

verifies('LIN-5', 'a deleted message is gone from the conversation and from what the model sees', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('my name is Ada')
  await u.ask('hello')
  const [, , target] = await u.events()
  await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, target?.id ?? '')
  await u.ask('what is my name?')
  const messages = await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)
  expect(textsOf(messages)).not.toContain('my name is Ada')
  expectWellFormed(messages)
  expect(JSON.stringify(u.requests.at(-1)?.prompt)).not.toContain('"my name is Ada"')
})

verifies(
  'LIN-5',
  'deleting a result or the message that asked for it removes the call and the result together',
  async () => {
    for (const type of ['tool.result', 'message.assistant'] as const) {
      const { u } = await richSession('unified')
      const events = await u.events()
      const target = events.find(
        (event) => event.type === type && JSON.stringify(event.data).includes(type === 'tool.result' ? 'look' : 'look'),
      )
      await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, target?.id ?? '')
      const messages = await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)
      expectWellFormed(messages)
      expect(JSON.stringify(messages)).not.toContain('look done')
      expect(await u.ask('go on')).toMatchObject({ finishReason: 'complete' })
    }
  },
)

test('deleting a message that is not there is refused', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('hello')
  const before = await u.events()
  const [created, started] = before
  for (const target of ['nothing', '', created?.id ?? '', started?.id ?? '']) {
    const doing = u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, target)
    expect((await problemOf(doing)).code).toBe('NOT_FOUND')
  }
  expect(await u.events()).toEqual(before)
})

test('a message deleted twice is deleted once', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('hello')
  const [, , target] = await u.events()
  await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, target?.id ?? '')
  await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, target?.id ?? '').catch(() => {})
  expectWellFormed(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId))
})
