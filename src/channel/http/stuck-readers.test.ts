import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test, onTestFinished } from 'vitest'
import type { NewEvent } from '../../contract/event.ts'
import { createHub, followEncoded } from '../../stream/index.ts'
import { eventLog, fact } from '../../../tests/support/event-log.ts'
import { ssePump, type Sink } from './sse-pump.ts'

const READERS = 150
const TEXT_CHARS = 10_000
/** What is written for one reader, once as text, and what stands around it. */
const EACH = 150_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

async function held(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve))
    collect()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Text that is no rope of shared pieces, as a connection has it. */
function stuck() {
  const kept: Buffer[] = []
  const sink: Sink = {
    write(text) {
      kept.push(Buffer.from(text))
      return false
    },
    ready: () => new Promise(() => {}),
    end() {},
    break() {},
  }
  return { sink, kept }
}

const events = (count: number): NewEvent[] =>
  Array.from({ length: count }, (_, i) =>
    fact('notice', { text: String(i).padEnd(TEXT_CHARS, 'x'), reason: 'y' }, null),
  )

async function withReaders() {
  const log = await eventLog()
  const hub = createHub(log.store, { queueChars: 2_000_000 })
  const where = { sessionId: log.sessionId, workspaceId: 'p', outputs: false, dialect: 'native' } as const
  return {
    ...log,
    hub,
    /** Readers that never read what they are sent; says how many bytes they were sent. */
    follow(after: number): () => number {
      const readers = Array.from({ length: READERS }, stuck)
      for (const { sink } of readers) {
        const stop = new AbortController()
        onTestFinished(() => stop.abort())
        void ssePump(followEncoded(log.store, hub, { ...where, after, signal: stop.signal }), sink, { stop }).run()
      }
      return () => readers.reduce((sum, { kept }) => sum + kept.reduce((all, { length }) => all + length, 0), 0)
    },
  }
}

test('readers that are stuck in a long log hold one step of it each, also while it grows', async () => {
  const { append, follow } = await withReaders()
  for (let i = 0; i < 100; i++) await append(...events(4))
  const before = await held()
  const sent = follow(0)
  await held()
  for (let i = 0; i < 100; i++) await append(...events(4))
  const after = await held()
  expect(sent()).toBeGreaterThan(READERS * TEXT_CHARS)
  expect(sent()).toBeLessThan(READERS * EACH)
  expect((after - before) / READERS).toBeLessThan(EACH)
})

test('readers that are stuck in what is live share what waits for them', async () => {
  const { append, follow, hub } = await withReaders()
  const sent = follow(0)
  await held()
  expect(hub.stats().followers).toBe(READERS)
  const before = await held()
  for (let i = 0; i < 45; i++) await append(...events(4))
  const after = await held()
  expect(sent()).toBeLessThan(READERS * EACH)
  // Each has almost all it may have waiting.
  expect(hub.stats().followers).toBe(READERS)
  expect((after - before) / READERS).toBeLessThan(EACH)
})
