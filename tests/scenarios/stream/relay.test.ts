import { expect, test } from 'vitest'
import { NO_USAGE } from '../../../src/contract/message.ts'
import { SessionWriter } from '../../conformance/store/session-writer.ts'
import { fact } from '../../support/event-log.ts'
import { verifies } from '../../support/verifies.ts'
import { createNodes } from './support/nodes.ts'

const WAIT = { timeout: 10_000, interval: 5 }
const notice = (text = 'x') => fact('notice', { text, reason: 'y' })
const turn = (n = 1) => fact('turn.started', { turn: n, model: 'm' } as never)
const resumed = fact('round.resumed', { n: 1, turn: 1, reason: 'takeover' })
const answered = (text: string) =>
  fact('message.assistant', {
    turn: 1,
    content: [{ type: 'text', text }],
    stopReason: 'end_turn',
    usage: NO_USAGE,
    final: true,
  })

async function stage({ queueChars, ...options }: { queueChars?: number; beatMs?: number; silenceMs?: number } = {}) {
  const node = createNodes(options)
  const [one, two] = [await node('one', queueChars), await node('two')]
  const writer = await SessionWriter.create(one.store)
  await writer.write(turn())
  return { node, one, two, writer }
}

verifies('COO-1', 'who follows on another node gets the text so far, then text and events as they come', async () => {
  const { one, two, writer } = await stage()
  one.say(writer, 'so ', 0)
  const reader = two.reader(writer.id)
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so '])
  one.say(writer, 'far', 3)
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so ', '3:far'])
  await writer.write(answered('so far'), notice())
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so ', '3:far', 3, 4])
})

test('one connection serves all who follow a session on a node, and ends with the last of them', async () => {
  const { one, two, writer } = await stage()
  const readers = Array.from({ length: 20 }, () => two.reader(writer.id))
  for (const reader of readers) await expect.poll(reader.words, WAIT).toEqual([1, 2])
  await expect.poll(() => one.served.open.size, WAIT).toBe(1)
  one.say(writer, 'all of you', 0)
  for (const reader of readers) await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:all of you'])
  const late = two.reader(writer.id)
  await expect.poll(late.words, WAIT).toEqual([1, 2, '0:all of you'])
  for (const reader of readers) await reader.leave()
  expect(one.served.open.size).toBe(1)
  await late.leave()
  await expect.poll(() => one.served.open.size, WAIT).toBe(0)
  expect(one.served.ever).toBe(1)
})

verifies(
  'COO-1',
  'where the connection breaks, stored events go on, and text where it was once it is back',
  async () => {
    const { one, two, writer } = await stage()
    const reader = two.reader(writer.id)
    const after = writer.head
    one.say(writer, 'so ', 0)
    await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so '])
    one.served.isDown = true
    one.cut()
    one.say(writer, 'far', 3)
    await writer.write(notice())
    // Nobody can be asked for the text, but what is stored is seen.
    await expect.poll(() => reader.words().at(-1), WAIT).toBe(3)
    one.served.isDown = false
    await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so ', 3, '0:so far'])
    one.say(writer, ' and on', 6, { after })
    await writer.write(answered('so far and on'))
    await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so ', 3, '0:so far', '6: and on', 4])
  },
)

verifies(
  ['COO-1', 'REL-7'],
  'when another node takes over, shown text is taken back and the rest comes from the new owner',
  async () => {
    const { node, one, two, writer } = await stage()
    const three = await node('three')
    const reader = two.reader(writer.id)
    one.say(writer, 'half an ', 0)
    await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:half an '])
    one.lease.until = 0
    const next = await SessionWriter.claim(three.store, writer.id)
    // The old owner does not know yet that it is none.
    one.say(writer, 'old words', 8)
    await next.write(resumed)
    await expect.poll(() => reader.numbers(), WAIT).toEqual([1, 2, 3])
    expect(reader.words()).toContain('reset')
    three.say(next, 'an answer', 0)
    await expect.poll(() => reader.words().slice(reader.words().indexOf(3)), WAIT).toEqual([3, '0:an answer'])
    await next.write(answered('an answer'))
    await expect.poll(reader.numbers, WAIT).toEqual([1, 2, 3, 4])
    expect([one.served.open.size, three.served.open.size]).toEqual([0, 1])
  },
)

test('who comes back when nobody else was there is not told to forget the text it has', async () => {
  const { one, two, writer } = await stage()
  const first = two.reader(writer.id)
  one.say(writer, 'so ', 0)
  await expect.poll(first.words, WAIT).toEqual([1, 2, '0:so '])
  await first.leave()
  one.say(writer, 'far', 3)
  const second = two.reader(writer.id, { after: 2 })
  await expect.poll(second.words, WAIT).toEqual(['0:so far'])
  one.say(writer, ', so good', 6)
  await expect.poll(second.words, WAIT).toEqual(['0:so far', '6:, so good'])
})

test('who took the session over itself hears itself, and asks nobody else any more', async () => {
  const { one, two, writer } = await stage()
  const reader = two.reader(writer.id)
  one.say(writer, 'half', 0)
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:half'])
  one.lease.until = 0
  const next = await SessionWriter.claim(two.store, writer.id)
  await next.write(resumed)
  two.say(next, 'whole', 0)
  one.say(writer, ' an answer', 4)
  await next.write(answered('whole'))
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:half', 'reset', 3, '0:whole', 4])
  await expect.poll(() => one.served.open.size, WAIT).toBe(0)
})

test('an event that is too long for a line is read from the log', async () => {
  const { one, two, writer } = await stage()
  const reader = two.reader(writer.id)
  await expect.poll(() => one.served.open.size, WAIT).toBe(1)
  await expect.poll(reader.words, WAIT).toEqual([1, 2])
  await writer.write(notice('x'.repeat(1_200_000)))
  await writer.write(notice())
  await expect.poll(reader.numbers, WAIT).toEqual([1, 2, 3, 4])
})

test('a node that does not keep up is cut off, comes back and misses nothing', async () => {
  const { one, two, writer } = await stage({ queueChars: 2000 })
  const reader = two.reader(writer.id)
  await expect.poll(() => one.served.open.size, WAIT).toBe(1)
  for (let i = 0; i < 40; i++) await writer.write(...Array.from({ length: 10 }, () => notice('x'.repeat(100))))
  const all = Array.from({ length: 402 }, (_, i) => i + 1)
  await expect.poll(reader.numbers, WAIT).toEqual(all)
  expect(one.served.ever).toBeGreaterThan(1)
})

test('an owner that says nothing at all is given up and asked again', async () => {
  const { one, two, writer } = await stage({ beatMs: 60_000, silenceMs: 50 })
  const reader = two.reader(writer.id)
  await expect.poll(() => one.served.ever, WAIT).toBeGreaterThan(2)
  one.say(writer, 'there', 0)
  await expect.poll(() => reader.words().includes('0:there'), WAIT).toBe(true)
})

test('an owner that has nothing to say is not given up', async () => {
  const { one, two, writer } = await stage({ beatMs: 10, silenceMs: 200 })
  two.reader(writer.id)
  await expect.poll(() => one.served.open.size, WAIT).toBe(1)
  const since = performance.now()
  await expect.poll(() => performance.now() - since, WAIT).toBeGreaterThan(500)
  expect(one.served.ever).toBe(1)
})

test('what a node hears of another it does not tell on', async () => {
  const { node, one, two, writer } = await stage()
  const three = await node('three')
  const reader = two.reader(writer.id)
  // One that has not heard of the owner yet asks the wrong node.
  const { queue, detach } = two.hub.attachNode(writer.id)
  await expect.poll(() => one.served.open.size, WAIT).toBe(1)
  one.say(writer, 'so far', 0)
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so far'])
  await writer.write(notice())
  await expect.poll(reader.words, WAIT).toEqual([1, 2, '0:so far', 3])
  const late = two.hub.attachNode(writer.id)
  for (const one of [queue, late.queue]) one.end()
  expect([await queue.take(), await late.queue.take()]).toEqual([[], []])
  detach()
  late.detach()
  expect(three.served.ever).toBe(0)
})

test('what running calls put out is heard on another node, by who asked for it', async () => {
  const { one, two, writer } = await stage()
  const [asked, other] = [two.reader(writer.id, { outputs: true }), two.reader(writer.id)]
  one.say(writer, 'building', 0, { kind: 'output', callId: 'c1', name: 'bash' })
  one.say(writer, 'a word', 0)
  await expect.poll(asked.words, WAIT).toEqual([1, 2, '0:building', '0:a word'])
  await expect.poll(other.words, WAIT).toEqual([1, 2, '0:a word'])
})
