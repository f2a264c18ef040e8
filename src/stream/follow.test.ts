import { describe, expect, test } from 'vitest'
import { NO_USAGE } from '../contract/message.ts'
import type { Store } from '../store/index.ts'
import { eventLog, fact, type EventLog } from '../../tests/support/event-log.ts'
import { follow as followBatches, type FollowOptions } from './follow.ts'
import type { Frame } from './frame.ts'
import { createHub, type Hub } from './hub.ts'
import { oneByOne } from './batches.ts'

const notice = (requestId = 'r') => fact('notice', { text: 'x', reason: 'y' }, requestId)
const ended = fact('round.ended', { finishReason: 'complete', usage: NO_USAGE, cost: 0 })
const answered = (text: string) =>
  fact('message.assistant', {
    turn: 1,
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: NO_USAGE,
    final: true,
  })

const say = (hub: Hub, { sessionId }: EventLog, text: string, offset: number, turn = 1): void =>
  hub.pulse({ type: 'delta', sessionId, requestId: 'r', turn, kind: 'text', offset, text })

const follow = (store: Store, hub: Hub, sessionId: string, options: FollowOptions): AsyncGenerator<Frame, void> =>
  oneByOne(followBatches(store, hub, sessionId, options), options.signal)

/** Frames as short words: the number of an event, the text of a delta. */
const short = (frame: Frame): number | string => {
  if (frame.kind === 'event') return frame.event.seq
  if (frame.kind === 'dropped') return 'dropped'
  return frame.pulse.type === 'delta' ? frame.pulse.text : 'reset'
}

async function all(source: AsyncIterable<Frame>): Promise<(number | string)[]> {
  const seen: (number | string)[] = []
  for await (const frame of source) seen.push(short(frame))
  return seen
}

/** A store whose first read comes back only after `meanwhile` has happened. */
function slowToRead(store: Store, meanwhile: () => Promise<unknown>): Store {
  let first = true
  return {
    ...store,
    async readSlice(id, after, most) {
      const events = await store.readSlice(id, after, most)
      if (first) await meanwhile()
      first = false
      return events
    },
  }
}

describe('the seam between what is stored and what is live', () => {
  test('shows an event once that was stored while the log was read', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    const store = slowToRead(log.store, () => log.append(notice(), ended))
    expect(await all(follow(store, hub, log.sessionId, { requestId: 'r' }))).toEqual([2, 3])
  })

  test('shows an event once that was stored before the log was read and heard of afterwards', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    const source = follow(log.store, hub, log.sessionId, {})
    const reading = source.next()
    await log.append(notice())
    await log.append(fact('session.deleted', { by: 'ada' }, null))
    expect(short((await reading).value as Frame)).toBe(1)
    expect(await all(source)).toEqual([2, 3])
  })

  test('leaves out deltas whose message was read from the log', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    say(hub, log, 'so ', 0)
    const store: Store = {
      ...log.store,
      async readSlice(id, after, most) {
        if (after === 0) {
          say(hub, log, 'far', 3)
          await log.append(answered('so far'))
        }
        return log.store.readSlice(id, after, most)
      },
    }
    const source = follow(store, hub, log.sessionId, {})
    expect([short((await source.next()).value as Frame), short((await source.next()).value as Frame)]).toEqual([1, 2])
    say(hub, log, 'next', 0, 2)
    expect(short((await source.next()).value as Frame)).toBe('next')
    await source.return()
  })

  test('leaves out deltas of a message that the log has before anybody is told of it', async () => {
    const log = await eventLog()
    let isTold = true
    const late: (() => void)[] = []
    // As with a database that others read while the answer to a commit is still on its way.
    const hub = createHub({
      ...log.store,
      subscribe: (listener) =>
        log.store.subscribe((...told) => (isTold ? listener(...told) : late.push(() => listener(...told)))),
    })
    const said = (text: string, offset: number, after: number, turn = 1): void =>
      hub.pulse({ type: 'delta', sessionId: log.sessionId, requestId: 'r', turn, kind: 'text', offset, text, after })
    said('so ', 0, 1)
    isTold = false
    await log.append(answered('so far'))
    const source = follow(log.store, hub, log.sessionId, {})
    expect([short((await source.next()).value as Frame), short((await source.next()).value as Frame)]).toEqual([1, 2])
    const next = source.next()
    said('far', 3, 1)
    await new Promise(setImmediate)
    hub.pulse({ type: 'reset', sessionId: log.sessionId, requestId: 'r', turn: 1, reason: 'cut', after: 1 })
    said('next', 0, 2, 2)
    expect(short((await next).value as Frame)).toBe('next')
    late.forEach((tell) => tell())
    await source.return()
  })

  test.each([
    [2, ['far']],
    [3, []],
  ])(
    'gives who comes with number %i the text of a turn only if it is not in an event they have',
    async (after, seen) => {
      const log = await eventLog()
      const hub = createHub({ ...log.store, subscribe: () => () => {} })
      await log.append(notice(), answered('so far'))
      hub.pulse({
        type: 'delta',
        sessionId: log.sessionId,
        requestId: 'r',
        turn: 1,
        kind: 'text',
        offset: 0,
        text: 'far',
        after: 1,
      })
      const controller = new AbortController()
      const store: Store = {
        ...log.store,
        async readSlice() {
          return { events: [], isLast: true }
        },
      }
      const words: (number | string)[] = []
      const reading = (async () => {
        for await (const frame of follow(store, hub, log.sessionId, { after, signal: controller.signal }))
          words.push(short(frame))
      })()
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      controller.abort()
      await reading
      expect(words).toEqual(seen)
    },
  )

  test('keeps the text before an event that does not concern it', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    const store: Store = {
      ...log.store,
      async readSlice(id, after, most) {
        say(hub, log, 'so ', 0)
        await log.append(notice())
        say(hub, log, 'far', 3)
        return log.store.readSlice(id, after, most)
      },
    }
    const source = follow(store, hub, log.sessionId, {})
    const seen = [await source.next(), await source.next(), await source.next(), await source.next()]
    expect(seen.map(({ value }) => short(value as Frame))).toEqual([1, 2, 'so ', 'far'])
    await source.return()
  })
})

describe('batches', () => {
  test('are a page of the log, and then all there is', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    await log.append(...Array.from({ length: 299 }, () => notice()))
    const sizes: number[] = []
    for await (const batch of followBatches(log.store, hub, log.sessionId, {})) {
      sizes.push(batch.length)
      if (sizes.length === 2) {
        say(hub, log, 'a', 0)
        await log.append(notice(), notice())
        say(hub, log, 'b', 1)
      }
      if (sizes.length === 3) break
    }
    expect(sizes).toEqual([256, 44, 4])
  })
})

describe('a follower that does not keep up', () => {
  const small = { queueChars: 1000 }

  test('gets what it took, then the news that it was dropped, and the end', async () => {
    const log = await eventLog()
    const hub = createHub(log.store, small)
    const source = follow(log.store, hub, log.sessionId, {})
    expect(short((await source.next()).value as Frame)).toBe(1)
    for (let i = 0; i < 20; i++) await log.append(notice())
    expect(await all(source)).toEqual(['dropped'])
    expect(hub.stats()).toEqual({ followers: 0 })
  })

  test('is told so also when it follows a round, and loses nothing when it comes back', async () => {
    const log = await eventLog()
    const hub = createHub(log.store, small)
    const source = follow(log.store, hub, log.sessionId, { requestId: 'r' })
    const first = source.next()
    await log.append(notice())
    expect(short((await first).value as Frame)).toBe(2)
    for (let i = 0; i < 20; i++) await log.append(notice())
    expect(await all(source)).toEqual(['dropped'])
    await log.append(ended)
    const rest = Array.from({ length: 21 }, (_, i) => i + 3)
    expect(await all(follow(log.store, hub, log.sessionId, { after: 2, requestId: 'r' }))).toEqual(rest)
  })
})

describe('following', () => {
  test('reads a long log in pages and misses nothing', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    for (let i = 0; i < 25; i++) await log.append(...Array.from({ length: 100 }, () => notice()))
    await log.append(ended)
    const seen = await all(follow(log.store, hub, log.sessionId, { requestId: 'r' }))
    expect(seen).toEqual(Array.from({ length: 2501 }, (_, i) => i + 2))
  })

  test('begins after the number it is given', async () => {
    const log = await eventLog()
    await log.append(notice(), notice(), ended)
    expect(await all(follow(log.store, createHub(log.store), log.sessionId, { after: 3, requestId: 'r' }))).toEqual([4])
  })

  test('of a round leaves out what belongs to others, and ends with the round', async () => {
    const log = await eventLog()
    await log.append(notice('other'), notice(), ended, notice('later'))
    expect(await all(follow(log.store, createHub(log.store), log.sessionId, { requestId: 'r' }))).toEqual([3, 4])
  })

  test('ends with the deletion of the session, also when it is of a round', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    const seen = all(follow(log.store, hub, log.sessionId, { requestId: 'r' }))
    await new Promise(setImmediate)
    await log.append(fact('session.deleted', { by: 'ada' }, null))
    expect(await seen).toEqual([])
  })

  test('ends when the hub is closed', async () => {
    const log = await eventLog()
    const hub = createHub(log.store)
    const seen = all(follow(log.store, hub, log.sessionId, {}))
    await new Promise(setImmediate)
    hub.close()
    expect(await seen).toEqual([1])
  })

  test('ends in the middle of a page when the signal aborts', async () => {
    const log = await eventLog()
    await log.append(notice(), notice(), notice())
    const controller = new AbortController()
    const seen: number[] = []
    for await (const frame of follow(log.store, createHub(log.store), log.sessionId, { signal: controller.signal })) {
      seen.push(short(frame) as number)
      if (seen.length === 2) controller.abort()
    }
    expect(seen).toEqual([1, 2])
  })
})
