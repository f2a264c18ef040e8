import { expect, test } from 'vitest'
import { createLeaving, leavingWords, type Left } from './leaving.ts'

const nothing: Left = { isHere: true, round: undefined, running: [], queued: 0 }

test.each<[string, Partial<Left>, RegExp]>([
  ['an answer that comes', { round: 'running' }, /^The answer stops, and goes on when you come back\. Ctrl-D/],
  [
    'an answer of a server',
    { isHere: false, round: 'running', running: ['mail'] },
    /^The answer goes on without you\./,
  ],
  ['a call', { round: 'running', running: ['mail', 'shell'] }, /^mail, shell would get 10 s to finish/],
  ['a question', { round: 'waiting' }, /^The question waits, and is asked again/],
  ['a result that is still to come', { round: 'result' }, /^A result is still to come; the answer goes on when you/],
  ['a result a server waits for', { isHere: false, round: 'result' }, /^The answer goes on without you\./],
  ['a message that waits', { queued: 1 }, /^A message waits to be sent and would be lost\./],
  ['messages that wait', { round: 'running', queued: 2 }, /stops.* 2 messages wait to be sent and would be lost\./],
])('who leaves is told what becomes of %s', (_, left, words) => {
  expect(leavingWords({ ...nothing, ...left })).toMatch(words)
})

test.each<[string, Partial<Left>]>([
  ['nothing runs', {}],
  ['an answer is paused', { round: 'paused' }],
])('there is nothing to tell where %s', (_, left) => {
  expect(leavingWords({ ...nothing, ...left })).toBeUndefined()
})

test('a call that runs is waited for when somebody leaves, until they want it once more', () => {
  const now: { left: Left } = { left: { ...nothing, round: 'running', running: ['mail'] } }
  const said: string[] = []
  let leaves = 0
  const leaving = createLeaving({
    left: () => now.left,
    say: (text) => void said.push(text),
    leave: () => void (leaves += 1),
  })
  leaving.quit()
  leaving.quit()
  expect([said.length, said[1], leaving.isWaiting, leaves]).toEqual([
    2,
    'mail gets 10 s to finish. Ctrl-D leaves now.',
    true,
    0,
  ])
  leaving.quit()
  expect(leaves).toBe(1)
  now.left = { ...nothing, round: 'running' }
  leaving.look()
  expect(leaves).toBe(2)
  leaving.end()
})

test('who has seen a round end is told anew', () => {
  const now: { left: Left } = { left: { ...nothing, round: 'running' } }
  let told = 0
  let leaves = 0
  const leaving = createLeaving({
    left: () => now.left,
    say: () => void (told += 1),
    leave: () => void (leaves += 1),
  })
  leaving.quit()
  now.left = nothing
  leaving.look()
  now.left = { ...nothing, round: 'running' }
  leaving.quit()
  expect([told, leaves]).toEqual([2, 0])
  leaving.quit()
  expect([told, leaves]).toEqual([2, 1])
})
