import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { ChannelMessage } from '../../../src/contract/channel.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { problemOf } from '../library/support/problem-of.ts'
import { channelMessage, recordingChannel } from '../library/support/recording-channel.ts'

const FAULTS: readonly [string, Record<string, unknown>, string][] = [
  ['no title', { title: null }, 'title'],
  ['an empty title', { title: '' }, 'title'],
  ['a number as title', { title: 5 }, 'title'],
  ['half a character in its title', { title: 'hello \ud83d' }, 'title'],
  ['a number as model', { model: 5 }, 'model'],
  ['a protocol nobody knows', { protocol: 'three-stage' }, 'protocol'],
  ['something nobody knows', { colour: 'red' }, 'colour'],
]

for (const [what, wanted, field] of FAULTS) {
  test(`a session with ${what} is not made`, async () => {
    const u = await segnoUnderTest()
    expect(await problemOf(u.segno.createSession(wanted))).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect((await u.segno.sessions.list(LOCAL_OWNER)).items).toHaveLength(1)
  })

  test(`a session is not changed to ${what}, and goes on`, async () => {
    const u = await segnoUnderTest({ script: {} })
    const doing = u.segno.sessions.change(LOCAL_OWNER, u.sessionId, wanted)
    expect(await problemOf(doing)).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(await u.ask('hello')).toMatchObject({ content: 'Echo: hello' })
    expect((await u.segno.check()).findings).toEqual([])
  })
}

test('a list of no length, or of half an item, is refused', async () => {
  const u = await segnoUnderTest()
  for (const limit of [0, -1, 1.5, Number.NaN]) {
    const doing = u.segno.sessions.list(LOCAL_OWNER, { limit })
    expect(await problemOf(doing)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'limit' })
  }
})

test('a list from a place that is none is refused', async () => {
  const u = await segnoUnderTest()
  const doing = u.segno.sessions.list(LOCAL_OWNER, { cursor: 'the middle' })
  expect(await problemOf(doing)).toMatchObject({ code: 'VALIDATION_ERROR', field: 'cursor' })
})

test('a message of a channel needs an id and a user', async () => {
  const u = await segnoUnderTest()
  for (const [field, value] of [
    ['id', ''],
    ['id', undefined],
    ['userId', ''],
    ['userId', 7],
  ] as const) {
    const message = { ...channelMessage('hello'), [field]: value } as ChannelMessage
    const doing = u.segno.handleMessage(message, recordingChannel(), { id: u.sessionId })
    expect(await problemOf(doing)).toMatchObject({ code: 'VALIDATION_ERROR', field })
  }
  expect(await u.events()).toHaveLength(1)
})
