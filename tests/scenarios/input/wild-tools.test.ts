import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Tool, ToolOutput } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { ownTime } from '../../support/own-time.ts'

/** What came of a call of a tool that does this, and that the session goes on after it. */
async function resultOf(run: Tool['run'], limits = {}) {
  const script = { scenarios: [{ when: '^go', turns: [{ calls: [{ name: 'wild' }] }, { text: 'There.' }] }] }
  const tools = [probe('wild', { effect: 'unsafe', run })]
  const u = await segnoUnderTest({ tools, script, limits })
  expect(await u.ask('go')).toMatchObject({ finishReason: 'complete', content: 'There.' })
  expect(await u.ask('hello')).toMatchObject({ content: 'Echo: hello' })
  const [result] = said(await u.events(), 'tool.result')
  const messages = JSON.stringify(await u.segno.sessions.messages(LOCAL_OWNER, u.sessionId))
  expect(messages).not.toMatch(/\\n\s+at |node:internal/)
  return result
}

const THROWN: readonly [string, unknown, string][] = [
  ['an error', new Error('the printer is on fire'), 'the printer is on fire'],
  ['a text', 'on fire', 'on fire'],
  ['nothing', undefined, 'The tool failed without saying why.'],
  ['a number', 7, '7'],
  ['an error with a novel in it', new Error('x'.repeat(1_000_000)), 'x'.repeat(500)],
]

for (const [what, error, content] of THROWN) {
  verifies('REL-5', `a tool that throws ${what} has failed, and the model is told in a few words`, async () => {
    const thrown = await resultOf(() => {
      throw error as Error
    })
    expect(thrown).toMatchObject({ outcome: 'error', effect: 'none', content })
    expect(await resultOf(() => Promise.reject(error as Error))).toMatchObject({ outcome: 'error', content })
  })
}

verifies('REL-5', 'a tool that hangs is stopped when its time is up, and nobody knows what it did', async () => {
  let took: (() => number) | undefined
  const hangs = () => {
    took = ownTime()
    return new Promise<ToolOutput>(() => {})
  }
  const result = await resultOf(hangs, { TOOL_MS: 20 })
  expect(result).toMatchObject({ outcome: 'timeout', effect: 'unknown' })
  expect(took?.()).toBeLessThan(2000)
})

verifies('REL-5', 'a tool that ignores its signal and answers much later is not heard', async () => {
  const late = () => new Promise<ToolOutput>((resolve) => setTimeout(() => resolve('too late'), 600))
  const result = await resultOf(late, { TOOL_MS: 20 })
  expect(result?.outcome).toBe('timeout')
  expect(result?.content).not.toContain('too late')
})

verifies('REL-5', 'an output of 100 MB is cut for the model, marked, and kept only in part', async () => {
  const result = await resultOf(() => 'x'.repeat(100_000_000))
  expect(result).toMatchObject({ outcome: 'ok', cut: 99_950_000 })
  expect(result?.content.length).toBeLessThan(50_200)
  expect(result?.content).toContain('99,950,000 characters cut')
})

verifies('REL-5', 'an output of 100 MB in pieces is stopped, and the tool is told', async () => {
  let told: AbortSignal | undefined
  let yielded = 0
  const result = await resultOf(async function* (_args, { signal }) {
    told = signal
    for (; yielded < 100; yielded++) yield 'x'.repeat(1_000_000)
  } as Tool['run'])
  expect(result?.outcome).toBe('ok')
  expect(result?.content).toContain('stopped at 8 MiB')
  expect(told?.aborted).toBe(true)
  expect(yielded).toBeLessThan(20)
})

verifies('REL-5', 'an output that never ends is stopped, however fast it comes', async () => {
  const result = await resultOf(async function* () {
    for (;;) yield 'and on '
  } as Tool['run'])
  expect(result?.content).toContain('stopped at 8 MiB')
})

verifies('REL-5', 'an output that never ends and says nothing is stopped when its time is up', async () => {
  const endless = async function* () {
    for (;;) yield ''
  } as Tool['run']
  expect(await resultOf(endless, { TOOL_MS: 50 })).toMatchObject({ outcome: 'timeout' })
})

verifies('REL-5', 'bytes that are no text are described instead of shown', async () => {
  const result = await resultOf(() => Uint8Array.from({ length: 4096 }, (_, i) => i % 256))
  expect(result?.content).toMatch(/^\[binary output, 4,096 bytes, sha256 [0-9a-f]{64}\]$/)
})

const circular: Record<string, unknown> = {}
circular['self'] = circular

const UNWRITABLE: readonly [string, unknown][] = [
  ['points at itself', circular],
  ['is a function', () => 1],
  ['holds a number JSON does not know', { n: 10n }],
  [
    'throws when it is looked at',
    {
      get secret(): string {
        throw new Error('do not look')
      },
    },
  ],
]

for (const [what, value] of UNWRITABLE) {
  verifies('REL-5', `an output that ${what} is an error and no crash`, async () => {
    expect(await resultOf(() => value as object)).toMatchObject({ outcome: 'error' })
  })
}

verifies('REL-5', 'half a character in an output does not reach the log', async () => {
  const result = await resultOf(() => 'so \ud83d far')
  expect(result?.content.isWellFormed()).toBe(true)
})
