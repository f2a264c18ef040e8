import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ToolContext } from '../contract/tool.ts'
import { expectNoUnhandledRejection, never, run } from './run-body.suite.ts'
import { ownTime } from '../../tests/support/own-time.ts'

const TIMED_OUT = expect.stringMatching(/^Timed out after \d+\.\d s\.$/) as string

expectNoUnhandledRejection()

test('returns what the tool said and how long it took', async () => {
  const took = ownTime()
  const result = await run(() => sleep(20, 'hello'))
  expect(result).toEqual({ outcome: 'ok', content: 'hello', durationMs: expect.any(Number) as number })
  expect(result.durationMs).toBeGreaterThanOrEqual(15)
  expect(took()).toBeLessThan(1000)
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
  const took = ownTime()
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
  expect(took()).toBeLessThan(1000)
  expect(reason).toMatchObject({ name: 'TimeoutError' })
})

test('leaves a tool behind that ignores its deadline', async () => {
  const took = ownTime()
  const result = await run(never, { timeoutMs: 50 })
  expect(result.outcome).toBe('timeout')
  expect(result.durationMs).toBeGreaterThanOrEqual(250)
  expect(took()).toBeLessThan(1500)
})

test('does not hear what a tool says or throws after it was left behind', async () => {
  const over = Promise.withResolvers<void>()
  const late = over.promise.then(() => Promise.reject(new Error('too late')))
  const result = await run(() => late, { timeoutMs: 20 })
  expect(result).toMatchObject({ outcome: 'timeout', content: TIMED_OUT })
  over.resolve()
  await expect(late).rejects.toThrow('too late')
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
  expect(result.content).toMatch(/^Timed out after \d+\.\d s\. Output until then:\nfirst second$/)
})

test('shows an answer given in the last moment without calling it a success', async () => {
  const answer = ({ signal }: ToolContext) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('half of it')))
  const result = await run(answer, { timeoutMs: 30 })
  expect(result.outcome).toBe('timeout')
  expect(result.content).toContain('half of it')
})

test('lets a tool have its own time, up to the most allowed', async () => {
  expect(await run(() => sleep(80, 'x'), { timeoutMs: 20 }, { timeoutMs: 20_000 })).toMatchObject({ outcome: 'ok' })
  const took = ownTime()
  const capped = await run(never, { timeoutMs: 20, maxTimeoutMs: 40 }, { timeoutMs: 9000 })
  expect(capped.outcome).toBe('timeout')
  expect(took()).toBeLessThan(1000)
})

test('does not start when it is already cancelled', async () => {
  let ran = false
  const result = await run(() => (ran = true), { signal: AbortSignal.abort() })
  expect(result).toMatchObject({ outcome: 'cancelled', durationMs: 0 })
  expect(ran).toBe(false)
})

test('passes a cancel on to the tool, and leaves it behind when it does not listen', async () => {
  const tookObedient = ownTime()
  const obedient = new AbortController()
  setTimeout(() => obedient.abort(), 20)
  const result = await run(({ signal }) => sleep(5000, 'x', { signal }), { signal: obedient.signal })
  expect(result).toMatchObject({ outcome: 'cancelled' })
  expect(tookObedient()).toBeLessThan(1000)

  const tookDeaf = ownTime()
  const deaf = new AbortController()
  setTimeout(() => deaf.abort(), 20)
  const left = await run(never, { signal: deaf.signal })
  expect(left).toMatchObject({ outcome: 'cancelled' })
  expect(tookDeaf()).toBeLessThan(1500)
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
