import { describe, expect, test } from 'vitest'
import { NO_USAGE } from '../contract/message.ts'
import type { Delta } from '../contract/pulse.ts'
import { eventLog, fact } from '../../tests/support/event-log.ts'
import { createHub } from './hub.ts'

async function withHub() {
  const log = await eventLog()
  const { sessionId } = log
  const hub = createHub(log.store)
  const said = new Map<string, number>()
  return {
    ...log,
    hub,
    reset: () => hub.pulse({ type: 'reset', sessionId, requestId: 'r', turn: 1, reason: 'cut' }),
    say(text: string, more: Partial<Delta> = {}) {
      const key = `${more.kind ?? 'text'} ${more.callId ?? ''}`
      const offset = said.get(key) ?? 0
      said.set(key, offset + text.length)
      hub.pulse({ type: 'delta', sessionId, requestId: 'r', turn: 1, kind: 'text', offset, text, ...more })
    },
  }
}

const answered = fact('message.assistant', {
  turn: 1,
  content: [{ type: 'text', text: 'so far' }],
  stopReason: 'end_turn',
  usage: NO_USAGE,
  final: true,
})

describe('who comes', () => {
  test('hears what happens from then on', async () => {
    const { hub, say, append, sessionId } = await withHub()
    const { queue } = hub.attach(sessionId)
    say('so')
    const stored = await append(fact('notice', { text: 'x', reason: 'y' }))
    expect(await queue.take()).toMatchObject([{ pulse: { text: 'so' } }, { event: { seq: stored[0]?.seq } }])
  })

  test('in the middle of a turn first gets all of it, each kind and call as one delta at offset 0', async () => {
    const { hub, say, sessionId } = await withHub()
    say('hm, ', { kind: 'reasoning' })
    say('yes', { kind: 'reasoning' })
    say('so ')
    say('far')
    say('{"a"', { kind: 'args', callId: 'c1', name: 'look' })
    say(':1}', { kind: 'args', callId: 'c1', name: 'look' })
    say('{}', { kind: 'args', callId: 'c2', name: 'look' })
    expect(await hub.attach(sessionId).queue.take()).toMatchObject([
      { pulse: { kind: 'reasoning', offset: 0, text: 'hm, yes' } },
      { pulse: { kind: 'text', offset: 0, text: 'so far' } },
      { pulse: { kind: 'args', callId: 'c1', offset: 0, text: '{"a":1}' } },
      { pulse: { kind: 'args', callId: 'c2', offset: 0, text: '{}' } },
    ])
  })

  test('after a reset gets only what came after it', async () => {
    const { hub, say, reset, sessionId } = await withHub()
    say('old')
    reset()
    say('new', { offset: 0 })
    expect(await hub.attach(sessionId).queue.take()).toMatchObject([{ pulse: { text: 'new' } }])
  })

  test('after the text is in the log gets none of it', async () => {
    const { hub, say, append, sessionId } = await withHub()
    say('so far')
    await append(answered)
    const { queue } = hub.attach(sessionId)
    queue.end()
    expect(await queue.take()).toEqual([])
  })

  test('hears nothing of other sessions', async () => {
    const { hub, append, say } = await withHub()
    const { queue } = hub.attach('another')
    say('so far')
    await append(answered)
    queue.end()
    expect(await queue.take()).toEqual([])
  })
})

describe('who leaves', () => {
  test('is told that it is over', async () => {
    const { hub, sessionId } = await withHub()
    const { queue, detach } = hub.attach(sessionId)
    detach()
    expect(await queue.take()).toEqual([])
  })

  test('twice takes nothing from one who came in between', async () => {
    const { hub, say, sessionId } = await withHub()
    const first = hub.attach(sessionId)
    first.detach()
    const second = hub.attach(sessionId)
    first.detach()
    say('still there')
    expect(await second.queue.take()).toMatchObject([{ pulse: { text: 'still there' } }])
  })
})

test('closing ends all who follow', async () => {
  const { hub, sessionId } = await withHub()
  const waiting = [hub.attach(sessionId), hub.attach('another')].map(({ queue }) => queue.take())
  hub.close()
  expect(await Promise.all(waiting)).toEqual([[], []])
})

test('knows how many follow, whoever leaves and however often', async () => {
  const { hub, sessionId } = await withHub()
  const first = hub.attach(sessionId)
  hub.attach('another')
  expect(hub.stats()).toEqual({ followers: 2 })
  first.detach()
  first.detach()
  expect(hub.stats()).toEqual({ followers: 1 })
})

test('one who does not keep up is dropped; the others hear on', async () => {
  const { hub, say, sessionId } = await withHub()
  const slow = hub.attach(sessionId, { maxChars: 200 })
  const other = hub.attach(sessionId)
  for (let i = 0; i < 10; i++) say('x'.repeat(50))
  expect(await slow.queue.take()).toEqual([{ kind: 'dropped', reason: 'slow_reader' }])
  expect(await other.queue.take()).toMatchObject([{ pulse: { text: 'x'.repeat(500) } }])
})

test('nobody is dropped for the text that was there before them', async () => {
  const { hub, say, sessionId } = await withHub()
  say('x'.repeat(500), { kind: 'reasoning' })
  say('y'.repeat(500))
  const { queue } = hub.attach(sessionId, { maxChars: 200 })
  expect(await queue.take()).toHaveLength(2)
})

test('who comes right after a retry was stored hears nothing of the text before it', async () => {
  const { hub, say, append, sessionId } = await withHub()
  say('old')
  await append(fact('turn.retried', { turn: 1, attempt: 1, reason: 'cut', model: 'm', waitMs: 1, shown: true }))
  const { queue } = hub.attach(sessionId)
  queue.end()
  expect(await queue.take()).toEqual([])
})

describe('what running calls put out', () => {
  const output = { kind: 'output', callId: 'c1', name: 'bash' } as const
  const result = fact('tool.result', {
    callId: 'c1',
    name: 'bash',
    signature: 's',
    outcome: 'ok',
    effect: 'none',
    content: 'all of it',
    durationMs: 1,
    cost: 0,
  })

  test('is heard by who asked for it, now or late, and by nobody else', async () => {
    const { hub, say, sessionId } = await withHub()
    const [asked, other] = [hub.attach(sessionId, { outputs: true }), hub.attach(sessionId)]
    say('building, ', output)
    say('still building', output)
    say('and a word')
    expect(await asked.queue.take()).toMatchObject([
      { pulse: { kind: 'output', text: 'building, still building' } },
      { pulse: { kind: 'text' } },
    ])
    expect(await other.queue.take()).toMatchObject([{ pulse: { kind: 'text' } }])
    const [late, lateOther] = [hub.attach(sessionId, { outputs: true }), hub.attach(sessionId)]
    expect(await late.queue.take()).toMatchObject([
      { pulse: { kind: 'output', offset: 0, text: 'building, still building' } },
      {},
    ])
    expect(await lateOther.queue.take()).toHaveLength(1)
  })

  test('is kept when the events before its call are stored only after it was put out', async () => {
    const { hub, say, append, sessionId } = await withHub()
    say('so far')
    say('building', { ...output, after: 4 })
    await append(answered)
    const { queue } = hub.attach(sessionId, { outputs: true })
    expect(await queue.take()).toMatchObject([{ pulse: { kind: 'output', offset: 0, text: 'building' } }])
  })

  test('does not mix with the arguments of the same call', async () => {
    const { hub, say, sessionId } = await withHub()
    say('{"command"', { kind: 'args', callId: 'c1', name: 'bash' })
    say('building', output)
    const { queue } = hub.attach(sessionId, { outputs: true })
    expect(await queue.take()).toMatchObject([
      { pulse: { kind: 'args', text: '{"command"' } },
      { pulse: { kind: 'output', offset: 0, text: 'building' } },
    ])
  })

  test('is forgotten with the result of its call, that of others is not', async () => {
    const { hub, say, append, sessionId } = await withHub()
    say('building', output)
    say('testing', { ...output, callId: 'c2' })
    await append(result)
    expect(await hub.attach(sessionId, { outputs: true }).queue.take()).toMatchObject([{ pulse: { callId: 'c2' } }])
  })

  test('keeps its end for who comes late, however long it is, and where that stands', async () => {
    const { hub, say, sessionId } = await withHub()
    const piece = 1000
    for (let i = 0; i < 1000; i += 1) say(String(i).padStart(piece, '.'), output)
    const { queue } = hub.attach(sessionId, { outputs: true })
    const pulses: Delta[] = []
    do pulses.push(...((await queue.take()) as { pulse: Delta }[]).map(({ pulse }) => pulse))
    while (queue.hasRest)
    const text = pulses.map((pulse) => pulse.text).join('')
    expect(text.endsWith('999')).toBe(true)
    expect(text.length).toBeGreaterThanOrEqual(100_000)
    expect(text.length).toBeLessThan(300_000)
    const ends = pulses.map((pulse) => pulse.offset + pulse.text.length)
    expect([...pulses.slice(1).map(({ offset }) => offset), 1000 * piece]).toEqual(ends)
  })

  test('drops nobody who did not ask for it', async () => {
    const { hub, say, sessionId } = await withHub()
    const other = hub.attach(sessionId, { maxChars: 200 })
    const asked = hub.attach(sessionId, { maxChars: 200, outputs: true })
    for (let i = 0; i < 10; i += 1) say('x'.repeat(50), output)
    say('a word')
    expect(await other.queue.take()).toMatchObject([{ pulse: { text: 'a word' } }])
    expect(await asked.queue.take()).toEqual([{ kind: 'dropped', reason: 'slow_reader' }])
  })
})
