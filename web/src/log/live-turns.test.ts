import { assert, array, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import type { Delta } from '../../../src/client/index.ts'
import { createLiveTurns } from './live-turns.ts'

const delta = (offset: number, text: string, more: Partial<Delta> = {}): Delta => ({
  requestId: 'r',
  turn: 1,
  kind: 'text',
  offset,
  text,
  ...more,
})
const now = (run: () => void): void => run()

test('deltas add up to the text of a turn', () => {
  const live = createLiveTurns(now)
  live.take(delta(0, 'It is '))
  live.take(delta(6, '391.'))
  expect(live.turn('r', 1)?.text).toBe('It is 391.')
  expect(live.turn('r', 1)?.pieces).toEqual(['It is ', '391.'])
})

test('who comes back is given everything again, and the text is as it was, without a new generation', () => {
  const live = createLiveTurns(now)
  live.take(delta(0, 'It is '))
  live.take(delta(0, 'It is 391.'))
  expect(live.turn('r', 1)).toMatchObject({ text: 'It is 391.', generation: 0 })
})

test('however a text is cut and repeated, it is the same in the end', () => {
  assert(
    property(
      string({ minLength: 1, maxLength: 40 }),
      array(integer({ min: 0, max: 40 }), { maxLength: 10 }),
      (text, cuts) => {
        const live = createLiveTurns(now)
        let known = 0
        for (const cut of [...cuts, text.length]) {
          const end = Math.max(known, Math.min(cut, text.length))
          const from = Math.min(cut, known)
          live.take(delta(from, text.slice(from, end)))
          known = end
        }
        live.take(delta(0, text))
        expect(live.turn('r', 1)).toMatchObject({ text, generation: 0 })
        expect(live.turn('r', 1)?.pieces.join('')).toBe(text)
      },
    ),
  )
})

test('a text that was said otherwise begins a new generation', () => {
  const live = createLiveTurns(now)
  live.take(delta(0, 'one way'))
  live.take(delta(0, 'another way'))
  expect(live.turn('r', 1)).toMatchObject({ text: 'another way', pieces: ['another way'], generation: 1 })
})

test('a delta that would leave a gap is not taken', () => {
  const live = createLiveTurns(now)
  live.take(delta(5, 'late'))
  expect(live.turn('r', 1)?.text).toBe('')
})

test('arguments and output grow by call', () => {
  const live = createLiveTurns(now)
  live.take(delta(0, '{"a":', { kind: 'args', callId: 'c', name: 'tool' }))
  live.take(delta(5, '1}', { kind: 'args', callId: 'c' }))
  live.take(delta(0, 'line', { kind: 'output', callId: 'd' }))
  expect(live.turn('r', 1)?.args.get('c')).toEqual({ name: 'tool', text: '{"a":1}' })
  expect(live.turn('r', 1)?.output.get('d')).toBe('line')
})

test('who watches is told once for everything that comes before the next frame', () => {
  const frames: (() => void)[] = []
  const live = createLiveTurns((run) => void frames.push(run))
  let told = 0
  live.subscribe(() => (told += 1))
  for (let at = 0; at < 100; at++) live.take(delta(at, 'x'))
  expect(frames.length).toBe(1)
  frames[0]?.()
  expect(told).toBe(1)
  live.take(delta(100, 'x'))
  expect(frames.length).toBe(2)
})

test('the end of a round forgets its turns and no others', () => {
  const live = createLiveTurns(now)
  live.take(delta(0, 'a'))
  live.take(delta(0, 'b', { turn: 2 }))
  live.take(delta(0, 'c', { requestId: 'r2' }))
  live.end('r')
  expect([live.turn('r', 1), live.turn('r', 2)]).toEqual([undefined, undefined])
  expect(live.turn('r2', 1)?.text).toBe('c')
})
