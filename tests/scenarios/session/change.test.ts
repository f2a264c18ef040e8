import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { problemOf } from '../library/support/problem-of.ts'

verifies('ORC-5', 'a session can be renamed, and is called so after a restart', async () => {
  const u = await segnoUnderTest()
  await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { title: 'Holiday plans' })
  expect(await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)).toMatchObject({ title: 'Holiday plans' })
  await u.reopen()
  expect(await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)).toMatchObject({ title: 'Holiday plans' })
})

verifies('ORC-5', 'an archived session can be read but not written to', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.ask('hello')
  await u.segno.sessions.archive(LOCAL_OWNER, u.sessionId)
  expect(await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)).toMatchObject({ archived: true })
  expect((await problemOf(u.send('more'))).code).toBe('CONFLICT')
  expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)).toHaveLength(2)
})

verifies('REL-3', 'a message repeated after its session was archived gets the answer of before', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const send = (content: string, messageId: string) =>
    u.segno.rounds.send(LOCAL_OWNER, u.sessionId, content, { messageId })
  const { requestId } = await send('hello', 'm1')
  await u.segno.completion(u.sessionId, requestId)
  await u.segno.sessions.archive(LOCAL_OWNER, u.sessionId)
  expect(await send('hello', 'm1')).toMatchObject({ requestId, sessionId: u.sessionId })
  expect((await problemOf(send('other', 'm1'))).code).toBe('IDEMPOTENCY_MISMATCH')
  expect((await problemOf(send('hello', 'm2'))).code).toBe('CONFLICT')
  expect(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId)).toHaveLength(2)
})

verifies('ORC-5', 'an archived session can be brought back', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.segno.sessions.archive(LOCAL_OWNER, u.sessionId)
  await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { archived: false })
  expect(await u.ask('more')).toMatchObject({ finishReason: 'complete' })
})

verifies('ORC-5', 'archived sessions are listed apart', async () => {
  const u = await segnoUnderTest()
  const other = await u.segno.createSession()
  await u.segno.sessions.archive(LOCAL_OWNER, u.sessionId)
  const ids = async (archived: boolean) =>
    (await u.segno.sessions.list(LOCAL_OWNER, { archived })).items.map(({ id }) => id)
  expect(await ids(true)).toEqual([u.sessionId])
  expect(await ids(false)).toEqual([other.id])
})

test('the protocol of a session is that of its next round, unless the round has its own', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { protocol: 'triggered' })
  const protocolOf = async (options: object) => {
    const { requestId } = await u.ask('hello', options)
    return (await u.segno.rounds.get(LOCAL_OWNER, requestId)).protocol
  }
  expect(await protocolOf({})).toBe('triggered')
  expect(await protocolOf({ protocol: 'unified' })).toBe('unified')
})

test('a session can be renamed while it answers', async () => {
  const hold = gateTool()
  const u = await segnoUnderTest({ tools: [hold], turns: [{ calls: [{ name: 'hold' }] }, { text: 'There.' }] })
  const running = await u.send()
  await hold.entered
  await u.segno.sessions.change(LOCAL_OWNER, u.sessionId, { title: 'Renamed' })
  hold.open()
  expect((await running.completion).finishReason).toBe('complete')
  expect(await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)).toMatchObject({ title: 'Renamed' })
})

test('changing a session that is not there is refused', async () => {
  const u = await segnoUnderTest()
  const { sessions } = u.segno
  for (const doing of [
    () => sessions.change(LOCAL_OWNER, 'nowhere', { title: 'x' }),
    () => sessions.archive(LOCAL_OWNER, 'nowhere'),
    () => sessions.clear(LOCAL_OWNER, 'nowhere'),
    () => sessions.delete(LOCAL_OWNER, 'nowhere'),
  ]) {
    expect((await problemOf(doing)).code).toBe('NOT_FOUND')
  }
})
