import { expect, test } from 'vitest'
import type { StoredEvent } from '../contract/event.ts'
import type { EventSlice } from '../store/index.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { follow } from './follow.ts'
import { createHub } from './hub.ts'
import { sharedPages, type Page } from './shared-pages.ts'

const slice = (seq: number, isLast = false): EventSlice => ({
  events: [{ seq, type: 'notice', data: { text: 'x'.repeat(400), reason: 'y' } } as StoredEvent],
  isLast,
})

function counting(maxChars: number, readers = 2) {
  const pages = sharedPages(maxChars)
  const leaves = ['a', 'b'].flatMap((id) => Array.from({ length: readers }, () => pages.enter(id)))
  const reads: string[] = []
  return {
    pages,
    leaves,
    reads,
    get(sessionId: string, after: number, isLast = false): Promise<Page> {
      return pages.get(sessionId, after, async () => {
        reads.push(`${sessionId}${after}`)
        return slice(after + 1, isLast)
      })
    },
  }
}

test('a page is read once for all who want it, also for those who want it while it is read', async () => {
  const { get, reads } = counting(10_000)
  const [first, second] = await Promise.all([get('a', 0), get('a', 0)])
  expect(second.frames[0]).toBe(first.frames[0])
  await get('a', 0)
  expect(reads).toEqual(['a0'])
})

test('nothing is kept for a single reader, and nothing once only one is left', async () => {
  const alone = counting(10_000, 1)
  await alone.get('a', 0)
  await alone.get('a', 0)
  expect(alone.reads).toEqual(['a0', 'a0'])
  const { get, leaves, reads } = counting(10_000)
  await get('a', 0)
  leaves[0]?.()
  // Who leaves twice is counted once.
  leaves[0]?.()
  await get('a', 0)
  expect(reads).toEqual(['a0', 'a0'])
})

test('the last page of a log is read anew each time: it grows', async () => {
  const { get, reads } = counting(10_000)
  await get('a', 0, true)
  await get('a', 0, true)
  expect(reads).toEqual(['a0', 'a0'])
})

test('no more is kept than may be; what was not asked for longest goes first', async () => {
  const { get, reads } = counting(2500)
  await get('a', 0)
  await get('a', 1)
  await get('a', 0)
  await get('a', 2)
  await get('a', 0)
  await get('a', 1)
  expect(reads).toEqual(['a0', 'a1', 'a2', 'a1'])
})

test('nothing is kept of a session that is deleted, also where it was just being read', async () => {
  const { pages, get, reads } = counting(10_000)
  const reading = get('a', 0)
  await get('b', 0)
  pages.forget('a')
  await reading
  await get('a', 0)
  await get('b', 0)
  expect(reads).toEqual(['a0', 'b0', 'a0'])
})

test('a read that fails is tried again by the next', async () => {
  const { pages } = counting(1000)
  await expect(pages.get('a', 0, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect((await pages.get('a', 0, async () => slice(1))).frames).toMatchObject([{ event: { seq: 1 } }])
})

test('those who read the same log get the same events, and none of them once it is deleted', async () => {
  const log = await eventLog()
  const hub = createHub(log.store)
  for (let i = 0; i < 60; i++)
    await log.append(...Array.from({ length: 10 }, () => fact('notice', { text: 'x', reason: 'y' })))
  const readers = [1, 2, 3].map(() => follow(log.store, hub, log.sessionId, {}))
  const pages = await Promise.all(readers.map((reader) => reader.next()))
  const seconds = await Promise.all(readers.map((reader) => reader.next()))
  expect(pages[1]?.value?.[0]).toBe(pages[2]?.value?.[0])
  expect(new Set(seconds.map(({ value }) => value?.[0])).size).toBe(1)
  await log.append(fact('session.deleted', { by: 'ada' }, null))
  const late = follow(log.store, hub, log.sessionId, {})
  const reading = late.next()
  await new Promise((resolve) => setImmediate(resolve))
  hub.close()
  expect((await reading).done).toBe(true)
})
