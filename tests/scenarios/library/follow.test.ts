import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { eventsIn, framesOf, isEvent, range, seqsIn, WatchingClient } from './support/frames.ts'

const TURNS = 8
const call = { name: 'look', args: {} }

/** A round of more than sixty events whose text comes in many small deltas. */
async function longRound(delayMs: number): Promise<SegnoUnderTest> {
  const look = probe('look')
  const turns = Array.from({ length: TURNS }, (_, i) => ({
    text: `This is turn number ${i + 1}, and it goes on for a while.`,
    calls: i < TURNS - 1 ? [call, { ...call, args: { i } }] : [],
    deltaChars: 3,
    delayMs,
  }))
  return segnoUnderTest({ tools: [look], turns, limits: { MAX_ITERATIONS: 20, MAX_TOOL_CALLS: 50 } })
}

verifies(['LIN-1', 'REL-1'], 'from every event of a round, a follower gets exactly what comes after it', async () => {
  const u = await longRound(0)
  const { requestId, completion } = await u.send()
  await completion
  const head = (await u.events()).length
  expect(head).toBeGreaterThan(60)
  for (const after of range(0, head)) {
    expect(seqsIn(await framesOf(u.segno.follow(u.sessionId, { after, requestId })))).toEqual(
      range(Math.max(after + 1, 2), head),
    )
  }
})

verifies(
  ['LIN-1', 'COO-1', 'REL-1'],
  'followers who come at any moment of a round miss nothing and get nothing twice',
  async () => {
    const u = await longRound(1)
    const { requestId } = await u.send()
    const clients: { after: number; client: WatchingClient }[] = []
    async function comes(i: number): Promise<void> {
      await setTimeout(i % 3)
      const { seq: head, open } = await u.segno.sessions.get(LOCAL_OWNER, u.sessionId)
      if (!open) return
      const after = i % 2 ? head : Math.floor(head / 2)
      const client = new WatchingClient()
      clients.push({ after, client })
      await watch(client, u, { after, requestId })
    }
    // One comes with everything that the first one sees.
    const done: Promise<void>[] = []
    for await (const _ of u.segno.follow(u.sessionId, { requestId })) done.push(comes(done.length))
    await Promise.all(done)
    const head = (await u.events()).length
    expect(clients.length).toBeGreaterThan(50)
    for (const { after, client } of clients) expect(client.seqs).toEqual(range(Math.max(after + 1, 2), head))
  },
)

verifies(
  ['LIN-1', 'COO-1', 'REL-1'],
  'followers who lose their connection mid-delta again and again end up with the log',
  async () => {
    const u = await longRound(1)
    const { requestId, completion } = await u.send()
    const clients = range(1, 30).map((patience) => watchInPieces(u, requestId, patience))
    await completion
    const head = (await u.events()).length
    for (const client of await Promise.all(clients)) expect(client.seqs).toEqual(range(2, head))
  },
)

async function watch(
  client: WatchingClient,
  u: SegnoUnderTest,
  options: { after: number; requestId: string },
): Promise<void> {
  for await (const frame of u.segno.follow(u.sessionId, options)) client.see(frame)
}

/** Drops its connection after every few frames and comes back with the number of the last event it has. */
async function watchInPieces(u: SegnoUnderTest, requestId: string, patience: number): Promise<WatchingClient> {
  const client = new WatchingClient()
  for (;;) {
    let seen = 0
    for await (const frame of u.segno.follow(u.sessionId, { after: client.last, requestId })) {
      client.see(frame)
      if (isEvent('round.ended')(frame)) return client
      if (++seen >= patience) break
    }
    client.reconnect()
    await setTimeout(1)
  }
}

verifies('COO-1', 'a round can be followed from its first event to its last, whenever that is asked for', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi', delayMs: 5, deltaChars: 1 }] })
  await u.ask('before')
  const { requestId, completion } = await u.send()
  const early = framesOf(u.segno.followRound(u.sessionId, requestId))
  await completion
  const late = framesOf(u.segno.followRound(u.sessionId, requestId))
  const all = (await u.events()).filter((event) => event.requestId === requestId)
  expect(eventsIn(await early)).toEqual(all)
  expect(eventsIn(await late)).toEqual(all)
})

test('a follower of one session hears nothing of another', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi', deltaChars: 1 }] })
  const { id: other } = await u.segno.createSession()
  const watching = framesOf(u.segno.follow(u.sessionId), isEvent('round.ended'))
  await u.ask('there', { sessionId: other })
  await u.ask('here')
  for (const frame of await watching) {
    expect(frame).toMatchObject({ [frame.kind]: { sessionId: u.sessionId } })
  }
})

test('a follower of one round hears nothing of the round before', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  await u.ask('first')
  const { requestId } = await u.send('second')
  for (const frame of await framesOf(u.segno.follow(u.sessionId, { requestId }))) {
    expect(frame).toMatchObject({ [frame.kind]: { requestId } })
  }
})

test('following ends when its signal aborts, also while nothing happens', async () => {
  const u = await segnoUnderTest()
  const controller = new AbortController()
  const heard = Promise.withResolvers<void>()
  async function* watched() {
    for await (const frame of u.segno.follow(u.sessionId, { signal: controller.signal })) {
      heard.resolve()
      yield frame
    }
  }
  const watching = framesOf(watched())
  await heard.promise
  await setTimeout(10)
  controller.abort()
  expect(seqsIn(await watching)).toEqual([1])
})

test('following ends when Segno is closed', async () => {
  const u = await segnoUnderTest()
  const watching = framesOf(u.segno.follow(u.sessionId))
  await setTimeout(10)
  await u.segno.close()
  expect(seqsIn(await watching)).toEqual([1])
})

test('following ends with the deletion of the session', async () => {
  const u = await segnoUnderTest()
  const watching = framesOf(u.segno.follow(u.sessionId))
  await setTimeout(10)
  await u.segno.sessions.delete(LOCAL_OWNER, u.sessionId)
  expect((await watching).at(-1)).toMatchObject({ event: { type: 'session.deleted' } })
})

test('a follower who goes away slowly takes nothing from one who has just come', async () => {
  const u = await segnoUnderTest({ turns: [{ text: 'hi' }] })
  const controller = new AbortController()
  const leaving = u.segno.follow(u.sessionId, { signal: controller.signal })[Symbol.asyncIterator]()
  await leaving.next()
  controller.abort()
  const coming = u.segno.follow(u.sessionId, { after: 1 })[Symbol.asyncIterator]()
  const first = coming.next()
  await setTimeout(10)
  expect((await leaving.next()).done).toBe(true)
  await u.ask()
  expect(await first).toMatchObject({ value: { kind: 'event' } })
  await coming.return?.()
})
