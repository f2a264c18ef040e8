import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'

/** What the model was given of the conversation. */
const conversation = (prompt: LanguageModelV4Prompt | undefined): string =>
  JSON.stringify(prompt?.filter(({ role }) => role !== 'system'))

verifies('ORC-5', 'clearing a session gives the model a fresh context and keeps the log', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('my name is Ada')
  const before = await u.events()
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  await u.ask('what is my name?')
  expect(conversation(u.requests[1]?.prompt)).toContain('what is my name?')
  expect(conversation(u.requests[1]?.prompt)).not.toContain('Ada')
  expect((await u.events()).slice(0, before.length)).toEqual(before)
})

verifies('ORC-5', 'what was cleared is still there as of an earlier event', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('my name is Ada')
  const { seq } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)).toEqual([])
  expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId, seq)).toHaveLength(2)
})

verifies(['ORC-5', 'REL-1'], 'a cleared context stays clear after a restart', async () => {
  const u = await segnoUnderTest({ script: {} })
  await u.ask('my name is Ada')
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  await u.reopen()
  await u.ask('what is my name?')
  expect(conversation(u.requests[0]?.prompt)).not.toContain('Ada')
})

test('clearing while a round runs waits for its end and does not disturb it', async () => {
  const hold = gateTool()
  const script = { scenarios: [{ when: '^hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] }] }
  const u = await segnoUnderTest({ tools: [hold], script })
  const running = await u.send('hold')
  await hold.entered
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  hold.open()
  expect(await running.completion).toMatchObject({ finishReason: 'complete', content: 'There.' })
  await u.until('context.cleared')
  expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)).toEqual([])
})
