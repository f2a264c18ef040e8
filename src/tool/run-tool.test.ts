import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Tool, ToolContext } from '../contract/tool.ts'
import { createRegistry } from './registry.ts'
import { runTool, type RunOptions } from './run-tool.ts'

const MIB = 1024 * 1024

const ctx: ToolContext = {
  idempotencyKey: 'k',
  callId: 'c',
  sessionId: 's',
  requestId: 'r',
  actorId: 'a',
  folder: '/nowhere',
  signal: new AbortController().signal,
}

const unhandled: unknown[] = []
process.on('unhandledRejection', (error) => unhandled.push(error))
afterEach(async () => {
  await sleep(1)
  expect(unhandled.splice(0)).toEqual([])
})

async function run(body: (ctx: ToolContext) => unknown, options: Partial<RunOptions> = {}, more: Partial<Tool> = {}) {
  const input = { type: 'object' } as const
  const tool = { name: 't', description: '', input, run: (_: unknown, ctx: ToolContext) => body(ctx), ...more } as Tool
  const registered = (await createRegistry([tool])).get('t')
  if (registered === undefined) throw new Error('not registered')
  const signal = new AbortController().signal
  return runTool(registered, {}, ctx, { timeoutMs: 5000, outputChars: 50_000, signal, ...options })
}

const TIMED_OUT = expect.stringMatching(/^Timed out after \d\.\d s\.$/) as string
const never = () => new Promise<never>(() => undefined)

test('returns what the tool said and how long it took', async () => {
  const result = await run(() => sleep(20, 'hello'))
  expect(result).toEqual({ outcome: 'ok', content: 'hello', durationMs: expect.any(Number) as number })
  expect(result.durationMs).toBeGreaterThanOrEqual(15)
  expect(result.durationMs).toBeLessThan(1000)
})

test.each<[unknown, string]>([
  [undefined, '(no output)'],
  [null, '(no output)'],
  ['', '(no output)'],
  [{ a: [1, null] }, '{"a":[1,null]}'],
  [['x'], '["x"]'],
  [false, 'false'],
  [0, '0'],
  [Number.NaN, 'NaN'],
  [new Uint8Array(), '(no output)'],
  [new TextEncoder().encode('grüße'), 'grüße'],
  [new TextEncoder().encode('abc').buffer, 'abc'],
  ['half \uD83D pair', 'half \uFFFD pair'],
])('writes %j as %j', async (value, content) => {
  expect(await run(() => value)).toMatchObject({ outcome: 'ok', content })
})

const cyclic: Record<string, unknown> = {}
cyclic['self'] = cyclic

test.each<[string, unknown, string]>([
  ['a cycle', cyclic, 'circular'],
  ['a BigInt inside', { n: 1n }, 'BigInt'],
  ['a BigInt', 1n, 'BigInt'],
  ['a function', () => 1, 'function'],
  ['a symbol', Symbol('x'), 'symbol'],
  [
    'an object that throws',
    {
      toJSON: () => {
        throw new Error('not today')
      },
    },
    'not today',
  ],
])('calls %s an error', async (_, value, part) => {
  const result = await run(() => value)
  expect(result.outcome).toBe('error')
  expect(result.content).toContain('cannot be written as JSON')
  expect(result.content).toContain(part)
})

test.each<[string, unknown, string]>([
  ['an Error', new Error('no such city'), 'no such city'],
  ['an Error without a message', new RangeError(''), 'The tool failed with RangeError.'],
  ['a string', 'just text', 'just text'],
  ['nothing', undefined, 'The tool failed without saying why.'],
  ['null', null, 'The tool failed without saying why.'],
  ['a number', 42, '42'],
  ['an object', { code: 7 }, '{"code":7}'],
  ['an object with a message', { message: 'hi' }, 'hi'],
  ['a cycle', cyclic, 'The tool failed in a way that cannot be put into words.'],
  ['a very long message', new Error('x'.repeat(499) + '😀'.repeat(9)), 'x'.repeat(499)],
])('survives %s being thrown, at once or later', async (_, thrown, content) => {
  const expected = { outcome: 'error', content, durationMs: expect.any(Number) as number }
  const raise = (): never => {
    throw thrown
  }
  expect(await run(raise)).toEqual(expected)
  // eslint-disable-next-line typescript/prefer-promise-reject-errors
  expect(await run(() => Promise.reject(thrown))).toEqual(expected)
  expect(
    await run(async function* () {
      yield 'some'
      await sleep(1)
      raise()
    }),
  ).toEqual(expected)
})

test('never shows a stack', async () => {
  const { content } = await run(() => {
    throw new Error('plain')
  })
  expect(content).not.toContain('run-tool.test')
})

test('tells the tool at the deadline and takes no longer when it obeys', async () => {
  let reason: unknown
  const result = await run(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
          reject(new Error('stopped'))
        })
      }),
    { timeoutMs: 50 },
  )
  expect(result).toMatchObject({ outcome: 'timeout', content: TIMED_OUT })
  expect(result.durationMs).toBeLessThan(1000)
  expect(reason).toMatchObject({ name: 'TimeoutError' })
})

test('leaves a tool behind that ignores its deadline', async () => {
  const result = await run(never, { timeoutMs: 50 })
  expect(result.outcome).toBe('timeout')
  expect(result.durationMs).toBeGreaterThanOrEqual(250)
  expect(result.durationMs).toBeLessThan(1500)
})

test('does not hear what a tool says or throws after it was left behind', async () => {
  let late = ''
  const result = await run(
    async () => {
      await sleep(400)
      late = 'threw'
      throw new Error('too late')
    },
    { timeoutMs: 20 },
  )
  expect(result).toMatchObject({ outcome: 'timeout', content: TIMED_OUT })
  await sleep(200)
  expect(late).toBe('threw')
})

test('shows what a tool said until it was stopped', async () => {
  const result = await run(
    async function* () {
      yield 'first '
      yield 'second'
      await never()
    },
    { timeoutMs: 30 },
  )
  expect(result.outcome).toBe('timeout')
  expect(result.content).toMatch(/^Timed out after \d\.\d s\. Output until then:\nfirst second$/)
})

test('shows an answer given in the last moment without calling it a success', async () => {
  const answer = ({ signal }: ToolContext) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it')))
  const result = await run(answer, { timeoutMs: 30 })
  expect(result.outcome).toBe('timeout')
  expect(result.content).toContain('half of it')
})

test('lets a tool have its own time, up to the most allowed', async () => {
  expect(await run(() => sleep(80, 'x'), { timeoutMs: 20 }, { timeoutMs: 1000 })).toMatchObject({ outcome: 'ok' })
  const capped = await run(never, { timeoutMs: 20, maxTimeoutMs: 40 }, { timeoutMs: 9000 })
  expect(capped.outcome).toBe('timeout')
  expect(capped.durationMs).toBeLessThan(1000)
})

test('does not start when it is already cancelled', async () => {
  let ran = false
  const result = await run(() => (ran = true), { signal: AbortSignal.abort() })
  expect(result).toMatchObject({ outcome: 'cancelled', durationMs: 0 })
  expect(ran).toBe(false)
})

test('passes a cancel on to the tool, and leaves it behind when it does not listen', async () => {
  const obedient = new AbortController()
  setTimeout(() => obedient.abort(), 20)
  const result = await run(({ signal }) => sleep(5000, 'x', { signal }), { signal: obedient.signal })
  expect(result).toMatchObject({ outcome: 'cancelled' })
  expect(result.durationMs).toBeLessThan(1000)

  const deaf = new AbortController()
  setTimeout(() => deaf.abort(), 20)
  const left = await run(never, { signal: deaf.signal })
  expect(left).toMatchObject({ outcome: 'cancelled' })
  expect(left.durationMs).toBeLessThan(1500)
})

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
  const started = performance.now()
  const result = await run(() => text)
  expect(performance.now() - started).toBeLessThan(1000)
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
  const result = await run(
    async function* () {
      for (;;) yield await Promise.resolve('')
    },
    { timeoutMs: 200 },
  )
  clearInterval(ticking)
  expect(result).toMatchObject({ outcome: 'timeout' })
  expect(result.durationMs).toBeLessThan(1000)
  expect(ticks).toBeGreaterThan(5)
})

test('holds millions of tiny pieces in little memory', async () => {
  const before = process.memoryUsage().rss
  const result = await run(
    async function* () {
      for (let n = 0; n < 500_000; n += 1) yield await Promise.resolve('é')
    },
    { timeoutMs: 15_000 },
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

test('leaves no timer and no listener behind', async () => {
  const controller = new AbortController()
  let listeners = 0
  const add = controller.signal.addEventListener.bind(controller.signal)
  const remove = controller.signal.removeEventListener.bind(controller.signal)
  controller.signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args))
  controller.signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args))
  await run(() => 'x', { signal: controller.signal })
  await run(never, { signal: controller.signal, timeoutMs: 10 })
  expect(listeners).toBe(0)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBeLessThan(5)
})
