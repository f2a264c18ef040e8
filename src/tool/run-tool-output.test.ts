import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { expectNoUnhandledRejection, MIB, never, run } from './run-body.suite.ts'
import { ownTime } from '../../tests/support/own-time.ts'

expectNoUnhandledRejection()

test('cuts a long text, says so, and keeps the whole', async () => {
  const text = 'x'.repeat(62_345)
  const result = await run(() => text)
  expect(result.content).toBe(`${'x'.repeat(50_000)}\n[… 12,345 characters cut]`)
  expect(result).toMatchObject({ outcome: 'ok', cut: 12_345, full: text })
  expect(await run(() => 'x'.repeat(50_000))).not.toHaveProperty('cut')
  expect(await run(() => 'abcdef', {}, { outputChars: 3 })).toMatchObject({ content: 'abc\n[… 3 characters cut]' })
})

test('does not cut a character in two', async () => {
  const result = await run(() => 'ab😀cd', { outputChars: 3 })
  expect(result).toMatchObject({ content: 'ab\n[… 4 characters cut]', cut: 4, full: 'ab😀cd' })
})

test('cuts 100 MB at the cost of a few', async () => {
  const text = Buffer.alloc(100_000_000, 'y').toString('latin1')
  const before = process.memoryUsage().rss
  const took = ownTime()
  const result = await run(() => text)
  expect(took()).toBeLessThan(1000)
  expect(process.memoryUsage().rss - before).toBeLessThan(80 * MIB)
  expect(result.cut).toBe(99_950_000)
  expect(result.content.length).toBeLessThan(50_100)
  expect(result.full).toHaveLength(8 * MIB)
})

test('cuts 100 MB of bytes, whole characters only', async () => {
  const bytes = Buffer.alloc(100_000_000, '€')
  const result = await run(() => bytes)
  expect(result.outcome).toBe('ok')
  expect(result.content).toMatch(/^€{50000}\n\[… 2,746,202 characters cut; 91,611,392 bytes more were not kept\]$/)
  expect(String(result.full)).toMatch(/^€+$/)
})

test('says what binary output is instead of showing it', async () => {
  const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00])
  const result = await run(() => png)
  const sha256 = createHash('sha256').update(png).digest('hex')
  expect(result).toMatchObject({ outcome: 'ok', content: `[binary output, 6 bytes, sha256 ${sha256}]`, full: png })
  const zeros = await run(() => new Uint8Array(20 * MIB))
  expect(zeros.content).toMatch(/^\[binary output, 8,388,608 bytes kept, 12,582,912 bytes more were not kept, sha256 /)
  expect(zeros.full).toHaveLength(8 * MIB)
})

test('joins pieces of text and bytes, also where a character is split between them', async () => {
  const euro = new TextEncoder().encode('€')
  const result = await run(async function* () {
    yield 'a\uD83D'
    yield '\uDE00b'
    yield euro.subarray(0, 1)
    await sleep(1)
    yield euro.subarray(1)
    yield '\uD83D'
  })
  expect(result).toMatchObject({ outcome: 'ok', content: 'a😀b€\uFFFD' })
})

test('stops reading output that never ends, and closes its source', async () => {
  let closed = false
  let aborted = false
  const result = await run(async function* ({ signal }) {
    signal.addEventListener('abort', () => (aborted = true))
    try {
      for (;;) {
        await Promise.resolve()
        yield 'z'.repeat(MIB)
      }
    } finally {
      closed = true
    }
  })
  expect(result.outcome).toBe('ok')
  expect(result.content).toMatch(/^z{50000}\n\[… 8,338,608 characters cut; the tool was stopped at 8 MiB of output\]$/)
  expect(result.full).toHaveLength(8 * MIB)
  expect({ closed, aborted }).toEqual({ closed: true, aborted: true })
})

test('does not let endless empty pieces stop the clock', async () => {
  let ticks = 0
  const ticking = setInterval(() => (ticks += 1), 10)
  const took = ownTime()
  const result = await run(
    async function* () {
      for (;;) yield await Promise.resolve('')
    },
    { timeoutMs: 200 },
  )
  clearInterval(ticking)
  expect(result).toMatchObject({ outcome: 'timeout' })
  expect(took()).toBeLessThan(1000)
  expect(ticks).toBeGreaterThan(5)
})

test('holds millions of tiny pieces in little memory', async () => {
  const before = process.memoryUsage().rss
  const result = await run(
    async function* () {
      for (let n = 0; n < 500_000; n += 1) yield await Promise.resolve('é')
    },
    { timeoutMs: 60_000 },
  )
  expect(result).toMatchObject({ outcome: 'ok', cut: 450_000 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB)
})

test('does not wait for a source that will not close', async () => {
  let asked = 0
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: never,
      return: () => {
        asked += 1
        return Promise.reject(new Error('will not'))
      },
    }),
  }
  expect(await run(() => source, { timeoutMs: 20 })).toMatchObject({ outcome: 'timeout' })
  expect(asked).toBe(1)
})

test('calls pieces that are neither text nor bytes an error', async () => {
  const result = await run(async function* () {
    yield await Promise.resolve({ a: 1 })
  })
  expect(result).toMatchObject({ outcome: 'error', content: expect.stringContaining('only text and bytes') as string })
})
