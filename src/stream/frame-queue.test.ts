import { describe, expect, test } from 'vitest'
import type { StoredEvent } from '../contract/event.ts'
import type { Delta } from '../contract/pulse.ts'
import type { Frame } from './frame.ts'
import { frameQueue } from './frame-queue.ts'

const delta = (text: string, offset: number, more: Partial<Delta> = {}): Frame => ({
  kind: 'pulse',
  pulse: { type: 'delta', sessionId: 's', requestId: 'r', turn: 1, kind: 'text', offset, text, ...more },
})
const reset: Frame = { kind: 'pulse', pulse: { type: 'reset', sessionId: 's', requestId: 'r', turn: 1, reason: 'cut' } }
const event: Frame = { kind: 'event', event: { seq: 1, type: 'turn.ended', data: {} } as StoredEvent }

async function taken(...frames: Frame[]): Promise<Frame[]> {
  const queue = frameQueue({ maxChars: 1000 })
  for (const frame of frames) queue.push(frame)
  return queue.take()
}

test('text that began after what the reader has is not left out with it', async () => {
  const queue = frameQueue({ maxChars: 1000 })
  const later = delta('building', 0, { kind: 'output', callId: 'c', after: 2 })
  for (const frame of [delta('old', 0), later, event]) queue.push(frame)
  expect(await queue.take(1)).toEqual([later])
})

describe('deltas that were not taken yet', () => {
  test('are joined into one, at the place of the first', async () => {
    expect(await taken(delta('so ', 4), delta('far', 7), delta('.', 10))).toEqual([delta('so far.', 4)])
  })

  test.each([
    ['turn', { turn: 2 }],
    ['kind', { kind: 'reasoning' as const }],
    ['call', { kind: 'args' as const, callId: 'b' }],
    ['round', { requestId: 'other' }],
  ])('of another %s stay apart', async (_, more) => {
    expect(await taken(delta('a', 0), delta('b', 0, more))).toHaveLength(2)
  })

  test('stay apart where something lies between them', async () => {
    expect(await taken(delta('a', 0), event, delta('b', 1))).toHaveLength(3)
    expect(await taken(delta('a', 0), reset, delta('b', 0))).toHaveLength(3)
  })

  test('are not joined with those that were taken', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    queue.push(delta('a', 0))
    const first = await queue.take()
    queue.push(delta('b', 1))
    expect(first).toEqual([delta('a', 0)])
    expect(await queue.take()).toEqual([delta('b', 1)])
  })
})

describe('a reader', () => {
  test('waits until there is something', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    const waiting = queue.take()
    queue.push(event)
    expect(await waiting).toEqual([event])
  })

  test('gets what is left after the end, and then nothing for ever', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    queue.push(event)
    queue.end()
    expect(await queue.take()).toEqual([event])
    expect(await queue.take()).toEqual([])
    expect(await queue.take()).toEqual([])
  })

  test('who waits is let go at the end', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    const waiting = queue.take()
    queue.end()
    expect(await waiting).toEqual([])
  })

  test('hears nothing that comes after the end', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    queue.end()
    queue.push(event)
    expect(await queue.take()).toEqual([])
  })
})

describe('a reader that does not keep up', () => {
  test('gets nothing of what it left but one frame that says why, and then the end', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    for (let i = 0; i < 4; i++) queue.push(delta('x'.repeat(300), i * 300))
    queue.push(event)
    expect(await queue.take()).toEqual([{ kind: 'dropped', reason: 'slow_reader' }])
    expect(await queue.take()).toEqual([])
  })

  test('is told of at once, and once', () => {
    let told = 0
    const queue = frameQueue({ maxChars: 1000, onDropped: () => (told += 1) })
    queue.push(delta('x'.repeat(900), 0))
    expect(told).toBe(0)
    queue.push(delta('x'.repeat(200), 900))
    queue.push(delta('x'.repeat(900), 1100))
    expect(told).toBe(1)
  })

  test('is not one that takes what there is in time', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    for (let i = 0; i < 10; i++) {
      queue.push(delta('x'.repeat(800), i * 800))
      expect(await queue.take()).toHaveLength(1)
    }
  })

  test('is not one that has nothing but a single large frame', async () => {
    const queue = frameQueue({ maxChars: 1000 })
    queue.push(delta('x'.repeat(5000), 0))
    expect(await queue.take()).toMatchObject([{ kind: 'pulse' }])
  })

  test('is found out by what events carry, and by their number', async () => {
    const notice = (text: string): Frame => ({
      kind: 'event',
      event: { seq: 1, type: 'notice', data: { text, reason: 'y' } } as StoredEvent,
    })
    const few = frameQueue({ maxChars: 1000 })
    few.push(notice('x'.repeat(600)))
    few.push(notice('x'.repeat(600)))
    expect(await few.take()).toMatchObject([{ kind: 'dropped' }])
    const many = frameQueue({ maxChars: 1000 })
    for (let i = 0; i < 30; i++) many.push(notice(''))
    expect(await many.take()).toMatchObject([{ kind: 'dropped' }])
  })
})

describe('a step', () => {
  const notice = (seq: number, text = ''): Frame => ({
    kind: 'event',
    event: { seq, type: 'notice', data: { text, reason: 'y' } } as StoredEvent,
  })
  const CHARS = 64_000

  test('has so many frames and no more; the rest is there for the next', async () => {
    const queue = frameQueue({ maxChars: 1_000_000 })
    for (let seq = 1; seq <= 600; seq++) queue.push(notice(seq))
    const sizes: number[] = []
    do sizes.push((await queue.take()).length)
    while (queue.hasRest)
    expect(sizes).toEqual([256, 256, 88])
  })

  test('has so many characters, or one frame', async () => {
    const queue = frameQueue({ maxChars: 1_000_000 })
    queue.push(notice(1, 'x'.repeat(200_000)))
    for (const seq of [2, 3, 4]) queue.push(notice(seq, 'x'.repeat(30_000)))
    const sizes: number[] = []
    do sizes.push((await queue.take()).length)
    while (queue.hasRest)
    expect(sizes).toEqual([1, 2, 1])
  })

  test('has no delta that grew beyond it', async () => {
    const queue = frameQueue({ maxChars: 1_000_000 })
    const text = 'x'.repeat(10_000)
    for (let i = 0; i < 30; i++) queue.push(delta(text, i * text.length))
    let offset = 0
    do
      for (const frame of await queue.take()) {
        const { pulse } = frame as { pulse: Delta }
        expect(pulse.offset).toBe(offset)
        expect(pulse.text.length).toBeLessThan(CHARS + text.length)
        offset += pulse.text.length
      }
    while (queue.hasRest)
    expect(offset).toBe(30 * text.length)
  })

  test('leaves what it does not take counted', async () => {
    const queue = frameQueue({ maxChars: 200_000 })
    for (let seq = 1; seq <= 6; seq++) queue.push(notice(seq, 'x'.repeat(30_000)))
    expect(await queue.take()).toHaveLength(2)
    for (let seq = 7; seq <= 9; seq++) queue.push(notice(seq, 'x'.repeat(30_000)))
    expect(await queue.take()).toMatchObject([{ kind: 'dropped' }])
  })

  test('leaves out old text also where what makes it old comes many steps later', async () => {
    const queue = frameQueue({ maxChars: 10_000_000 })
    for (let i = 0; i < 5; i++) queue.push(delta('x'.repeat(CHARS), i * CHARS))
    queue.push(event)
    queue.push(delta('new', 0, { turn: 2 }))
    expect(await queue.take(1)).toEqual([delta('new', 0, { turn: 2 })])
  })
})

test('what a queue begins with counts for nothing', async () => {
  const queue = frameQueue({ maxChars: 1000, first: [delta('x'.repeat(5000), 0)] })
  queue.push(event)
  queue.push(event)
  expect(await queue.take()).toHaveLength(3)
})
