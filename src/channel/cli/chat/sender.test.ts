import { expect, test } from 'vitest'
import { Problem } from '../../../contract/problem.ts'
import type { Client } from '../../../client/index.ts'
import { createSender } from './sender.ts'

/** A sender whose messages are taken, unless the connection breaks first. */
function sending() {
  const sent: { text: string; once: string; mode: string }[] = []
  const failed: string[] = []
  const cancelled: string[] = []
  const works: Promise<void>[] = []
  const line = { isBroken: false }
  const api = {
    send(_: string, { content: text, mode }: { content: string; mode: string }, once: string) {
      sent.push({ text, once, mode })
      if (line.isBroken) return Promise.reject(new Problem('STORE_UNAVAILABLE', 'Gone.'))
      return Promise.resolve({ requestId: `r${sent.length}` })
    },
    cancel: (requestId: string) => Promise.resolve(void cancelled.push(requestId)),
  }
  const sender = createSender({
    api: api as unknown as Client,
    session: () => Promise.resolve('s'),
    isRoundOpen: () => false,
    failed: (text, { message }) => Promise.resolve(void failed.push(`${text}: ${message}`)),
    background: (work) => void works.push(work),
  })
  const settled = async (): Promise<void> => void (await Promise.all(works))
  return { sender, sent, failed, cancelled, line, settled }
}

test('a message that had to be tried again is sent under the same key, and another one under its own', async () => {
  const { sender, sent, failed, line, settled } = sending()
  line.isBroken = true
  sender.send('hello', 'act')
  await settled()
  expect(failed).toEqual(['hello: Gone.'])
  line.isBroken = false
  sender.send('hello', 'act')
  await settled()
  sender.ended('r2')
  sender.send('hello', 'act')
  await settled()
  const [first, second, third] = sent.map(({ once }) => once)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('what is sent while a round runs waits for its end, in order', async () => {
  const { sender, sent, settled } = sending()
  for (const text of ['one', 'two', 'three']) sender.send(text, 'act')
  await settled()
  expect([sent.map(({ text }) => text), sender.queue]).toEqual([['one'], ['two', 'three']])
  sender.ended('r1')
  await settled()
  sender.ended('r2')
  await settled()
  expect(sent.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
})

test('a message that waits is sent in the mode it was written in', async () => {
  const { sender, sent, settled } = sending()
  sender.send('one', 'act')
  sender.send('two', 'plan')
  sender.send('three', 'act')
  for (const ended of ['r1', 'r2']) {
    await settled()
    sender.ended(ended)
  }
  await settled()
  expect(sent.map(({ mode }) => mode)).toEqual(['act', 'plan', 'act'])
})

test('stopping gives back what waited, and a message that is still on its way is stopped when it arrives', async () => {
  const { sender, sent, cancelled, settled } = sending()
  sender.send('one', 'act')
  sender.send('two', 'act')
  expect([sender.stop(undefined), sender.isStopping, cancelled]).toEqual(['two', true, []])
  await settled()
  expect([cancelled, sent.length]).toEqual([['r1'], 1])
  sender.ended('r1')
  expect([sender.isStopping, sender.since]).toEqual([false, undefined])
})

test('what nobody hears the end of is waited for no more, and what waited is given back', async () => {
  const { sender, sent, settled } = sending()
  for (const text of ['one', 'two', 'three']) sender.send(text, 'act')
  await settled()
  expect([sender.forget(), sender.since, sender.queue]).toEqual(['two\nthree', undefined, []])
  sender.send('four', 'act')
  await settled()
  expect(sent.map(({ text }) => text)).toEqual(['one', 'four'])
})
