import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { textOf } from '../../../src/contract/message.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'

const script = { scenarios: [{ when: '^busy', turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] }] }

/** A round that runs until it is let go on. */
async function busy() {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], script })
  const first = await u.send('busy')
  await hold.entered
  return { u, hold, first }
}

/** What was said and what was cleared or deleted, in the order of the log. */
const story = (events: readonly StoredEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'message.user') return [textOf(event.data.content)]
    return event.type === 'context.cleared' || event.type === 'message.deleted' ? [event.type] : []
  })

verifies('COO-4', 'clearing comes after the messages sent before it and before those sent after it', async () => {
  const { u, hold } = await busy()
  await u.send('before')
  expect(await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)).toBe('later')
  const after = await u.send('after')
  hold.open()
  await after.completion
  expect(story(await u.events())).toEqual(['busy', 'before', 'context.cleared', 'after'])
  const last = u.requests.at(-1)?.prompt.filter(({ role }) => role === 'user')
  expect(JSON.stringify(last)).toContain('after')
  expect(JSON.stringify(last)).not.toContain('before')
})

test('the same holds for clearing twice, and for taking a message out', async () => {
  const { u, hold } = await busy()
  const [, , message] = await u.events()
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  await u.send('between')
  await u.segno.sessions.deleteMessage(LOCAL_OWNER, u.sessionId, message?.id ?? '')
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  const last = await u.send('last')
  hold.open()
  await last.completion
  expect(story(await u.events())).toEqual([
    'busy',
    'context.cleared',
    'between',
    'message.deleted',
    'context.cleared',
    'last',
  ])
})

test('an interrupting message starts right after the round it ended; what waited keeps its order behind it', async () => {
  const { u, first } = await busy()
  await u.send('one')
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  const two = await u.send('two')
  await u.send('urgent', { onBusy: 'interrupt' })
  await two.completion
  expect((await first.completion).finishReason).toBe('cancelled')
  expect(story(await u.events())).toEqual(['busy', 'urgent', 'one', 'context.cleared', 'two'])
})

test('a message that is cancelled holds up nothing that waited behind it', async () => {
  const { u, hold, first } = await busy()
  const queued = await u.send('queued')
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  await queued.cancel()
  hold.open()
  await first.completion
  await u.until('context.cleared')
  expect(story(await u.events())).toEqual(['busy', 'context.cleared'])
})

test('the order is kept across a restart', async () => {
  const { u } = await busy()
  await u.send('before')
  await u.segno.sessions.clear(LOCAL_OWNER, u.sessionId)
  const after = await u.send('after')
  const open = gateTool()
  open.open()
  await u.reopen({ tools: [open] })
  await u.segno.completion(u.sessionId, after.requestId)
  expect(story(await u.events())).toEqual(['busy', 'before', 'context.cleared', 'after'])
})
