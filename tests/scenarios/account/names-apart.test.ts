import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeys } from '../../../src/account/index.ts'
import type { Actor } from '../../../src/contract/actor.ts'
import type { Channel } from '../../../src/contract/channel.ts'
import { actorKey, keyOf } from '../../../src/lib/key-of.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { asking } from '../http/asking.ts'
import { gateTool } from '../library/support/gate-tool.ts'
import { newStore } from './support/new-store.ts'

const person = (tenant: string, id: string): Actor => ({ id, kind: 'user', tenant, permissions: ['*'] })

/** Two people whose names look the same once they are joined, with a space or with a colon. */
const PAIRS = [
  [person('a b', 'c'), person('a', 'b c')],
  [person('a:b', 'c'), person('a', 'b:c')],
] as const

describe('a key made of parts', () => {
  test('is another one for every other list of as many parts', () => {
    const part = fc.string({ unit: fc.constantFrom('a', ' ', ':', '"', '\\', '\u0000'), maxLength: 5 })
    const parts = fc.array(part, { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(keyOf(...one) === keyOf(...other)).toBe(one.join('\u0001') === other.join('\u0001'))
      }),
      { numRuns: 5000 },
    )
  })

  test('is what older versions made of names that cannot be mistaken', () => {
    expect(keyOf('session', 'local', 'owner', 'once')).toBe('session:local:owner:once')
    expect(keyOf('message', 'a b', 'ada@example.org', 'web:1:"x"')).toBe('message:a b:ada@example.org:web:1:"x"')
  })

  test.each(PAIRS)('tells %j from %j', (one, other) => {
    expect(actorKey(one)).not.toBe(actorKey(other))
  })
})

describe.each(PAIRS)('what $tenant / $id does', (one, other) => {
  test('takes no turn and no place in the queue from somebody whose name looks the same', async () => {
    const hold = gateTool('hold')
    const { segno } = await segnoUnderTest({
      script: { scenarios: [{ when: 'hold', turns: [{ calls: [{ name: 'hold' }] }, { text: 'Done.' }] }] },
      tools: [hold],
      limits: { MAX_ROUNDS: 1, QUEUE_LENGTH: 2 },
    })
    const all: Promise<unknown>[] = []
    const over: string[] = []
    async function send(actor: Actor, words: string): Promise<void> {
      const { id } = await segno.createSession({}, { actor })
      const { completion } = await segno.streamRequest(id, words, { actor })
      all.push(completion.then(() => over.push(words)))
    }
    await send(one, 'hold 1')
    await hold.entered
    await send(one, '2')
    await send(one, '3')
    // The queue is full, of one person's messages: another one still has a place.
    await expect(send(one, '4')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    await send(other, 'mine')
    hold.open()
    await Promise.all(all)
    expect(over).toEqual(['hold 1', '2', 'mine', '3'])
  })

  test('under an Idempotency-Key is not done for somebody whose name looks the same', async () => {
    const { segno } = await segnoUnderTest()
    const made = await Promise.all([one, other].map((actor) => segno.sessions.create(actor, { title: 'mine' }, 'once')))
    expect(made.map(({ owner }) => owner.id)).toEqual([one.id, other.id])
    const named = [one, other].map((actor) => segno.workspaces.create(actor, { name: 'ours' }, 'once'))
    expect((await Promise.all(named)).map(({ tenant }) => tenant)).toEqual([one.tenant, other.tenant])
    const sent = [one, other].map((actor, at) =>
      segno.rounds.send(actor, made[at]?.id ?? '', 'hello', { messageId: 'once' }),
    )
    expect(new Set((await Promise.all(sent)).map(({ requestId }) => requestId)).size).toBe(2)
  })

  test('under an Idempotency-Key makes a key of their own', async () => {
    const store = await newStore()
    const keys = createKeys(store, { now: () => 1_000_000 })
    onTestFinished(() => keys.close())
    // A tenant or user with a colon comes from the library, and makes keys for names that keys may have.
    const wanted = { name: 'k', userId: 'x', tenant: 'x' }
    for (const actor of [one, other]) await keys.add({ ...actor, permissions: ['*', 'operator'] }, wanted, 'once')
    expect(await store.keys()).toHaveLength(2)
  })
})

const [[spaced, alike]] = PAIRS

async function keyed(limits: Parameters<typeof asking>[0]['limits']) {
  const it = await asking({ ...(limits && { limits }) })
  const keyFor = ({ tenant, id: userId }: Actor): Promise<string> => it.keyFor(['*'], { tenant, userId })
  return { it, keys: [await keyFor(spaced), await keyFor(alike)] as const }
}

verifies('COO-4', 'requests are counted for nobody else whose name looks the same', async () => {
  const { it, keys } = await keyed({ RATE_PER_MINUTE: 3 })
  const list = async (key: string): Promise<number> => (await it.http('GET', '/api/me', undefined, key)).status
  expect([await list(keys[0]), await list(keys[0]), await list(keys[0]), await list(keys[0])]).toEqual([
    200, 200, 200, 429,
  ])
  expect(await list(keys[1])).toBe(200)
})

verifies('REL-5', 'streams are counted for nobody else whose name looks the same', async () => {
  const { it, keys } = await keyed({ MAX_STREAMS: 2 })
  const left = new AbortController()
  async function open(actor: Actor, key: string): Promise<number> {
    const { id } = await it.segno.createSession({}, { actor })
    const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
    const url = `http://127.0.0.1:4747/api/sessions/${id}/events`
    return (await it.segno.fetch(new Request(url, { headers, signal: left.signal }))).status
  }
  expect([await open(spaced, keys[0]), await open(spaced, keys[0]), await open(spaced, keys[0])]).toEqual([
    200, 200, 429,
  ])
  expect(await open(alike, keys[1])).toBe(200)
  left.abort()
})

test('a message of a channel is not taken for that of another of its users', async () => {
  const { segno } = await segnoUnderTest()
  const channel: Channel = { name: 'c', streamDelta() {}, streamComplete() {} }
  const session = await segno.createSession()
  const deliver = (userId: string, id: string) =>
    segno.handleMessage({ id, userId, content: 'hello', timestamp: new Date() }, channel, session)
  await deliver('a:b', 'c')
  await deliver('a', 'b:c')
  expect(await segno.sessions.messages(person('local', 'owner'), session.id)).toHaveLength(4)
})
