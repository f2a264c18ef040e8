import { expect, test, vi } from 'vitest'
import { createWaker, WAKE_SESSIONS } from './create-waker.ts'

type Sent = [nodeId: string, sessions: readonly string[]]

function waker(fails: (attempt: number) => boolean = () => false) {
  const sent: Sent[] = []
  const wake = createWaker(async (nodeId, sessions) => {
    sent.push([nodeId, sessions])
    if (fails(sent.length)) throw new Error('unreachable')
  })
  return { sent, wake }
}

const isSent = (sent: Sent[], count: number) => vi.waitFor(() => expect(sent).toHaveLength(count))

test('what goes to the same node within a moment goes in one request, each session once', async () => {
  const { sent, wake } = waker()
  for (const session of ['a', 'b', 'a']) wake('one', session)
  wake('other', 'c')
  await isSent(sent, 2)
  expect(sent).toEqual([
    ['one', ['a', 'b']],
    ['other', ['c']],
  ])
})

test('what comes later goes in another one', async () => {
  const { sent, wake } = waker()
  wake('one', 'a')
  await isSent(sent, 1)
  // Nobody waits for it: the next one may come while the first is being sent.
  await vi.waitFor(() => {
    wake('one', 'b')
    expect(sent.at(-1)?.[1]).toEqual(['b'])
  })
})

test('a request names only so many sessions', async () => {
  const { sent, wake } = waker()
  for (let i = 0; i < WAKE_SESSIONS + 1; i++) wake('one', String(i))
  await isSent(sent, 2)
  expect(sent.map(([, sessions]) => sessions.length)).toEqual([WAKE_SESSIONS, 1])
})

test('a node that does not answer is tried twice, then left to its own look', async () => {
  const { sent, wake } = waker(() => true)
  wake('one', 'a')
  await isSent(sent, 2)
  wake('other', 'b')
  await isSent(sent, 4)
  expect(sent.map(([nodeId]) => nodeId)).toEqual(['one', 'one', 'other', 'other'])
})
