import { expect, test } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import type { Frame } from '../../../src/stream/frame.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { writtenIn } from '../../support/written-in.ts'
import { roundFromBefore } from '../library/support/frames.ts'

const KEY = 'sk-live-0123456789abcdefghij'
const TOKEN = 'mcp-token-9876543210'
const HALF = KEY.length / 2
const [front, back] = [KEY.slice(0, HALF), KEY.slice(HALF)]
/** More than is kept back before it is shown. */
const LONG = 'x'.repeat(16_000)

/** All that was stored, all the model was given, all that readers saw. */
async function traces(read: Partial<Tool>, more: { onFrame?: (it: SegnoUnderTest, frame: Frame) => void } = {}) {
  const it = await segnoUnderTest({
    tools: [probe('read', read)],
    turns: [{ calls: [{ name: 'read' }] }, { text: 'Done.' }],
    env: {
      OPENAI_API_KEY: KEY,
      SEGNO_MCP: JSON.stringify({ far: { url: 'http://127.0.0.1:9/', headers: { authorization: `Bearer ${TOKEN}` } } }),
    },
  })
  const seen: Frame[] = []
  for await (const frame of roundFromBefore(it, { outputs: true })) {
    seen.push(frame)
    more.onFrame?.(it, frame)
  }
  const { requests, home } = it
  const prompts = JSON.stringify(requests.map(({ prompt }) => prompt))
  await it.segno.close()
  const stored = await writtenIn(home)
  const output = seen.flatMap((frame) =>
    frame.kind === 'pulse' && frame.pulse.type === 'delta' && frame.pulse.kind === 'output' ? [frame.pulse.text] : [],
  )
  return { all: [stored, prompts, JSON.stringify(seen)], prompts, output: output.join('') }
}

const ways: Record<string, Partial<Tool>> = {
  'returns it': { run: () => `the key is ${KEY}, the token ${TOKEN}` },
  'returns it in an object': { run: () => ({ env: { key: KEY, token: TOKEN } }) },
  'returns it as bytes': { run: () => Buffer.from(`${KEY} ${TOKEN}`) },
  'returns it beyond what the model sees': { outputChars: 100, run: () => `${'a '.repeat(200)}${KEY}${TOKEN}` },
  'returns it where the output is cut': {
    outputChars: 1000,
    run: () => `${'a'.repeat(1000 - HALF)}${KEY} ${TOKEN} more`,
  },
  'fails with it': {
    run: () => {
      throw new Error(`401 for ${KEY} and ${TOKEN}`)
    },
  },
  'puts it out in pieces': {
    async *run(_, { signal }) {
      yield `${LONG}${front}`
      yield `${back}${LONG}`
      yield TOKEN.slice(0, 5)
      yield `${TOKEN.slice(5)}${LONG}`
      signal.throwIfAborted()
    },
  },
  'says it while it runs': {
    run(_, { say }) {
      say(`${LONG}${front}`)
      say(`${back}${TOKEN}${LONG}`)
      return 'done'
    },
  },
  'says it before it is stopped': {
    timeoutMs: 50,
    async *run(_, { signal }) {
      yield `${KEY} ${TOKEN}`
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    },
  },
}
for (const [what, read] of Object.entries(ways))
  verifies('GOV-8', `a tool that ${what} brings no secret into the log, a prompt or a stream`, async () => {
    const { all } = await traces(read)
    for (const trace of all) {
      expect(trace.length).toBeGreaterThan(0)
      for (const secret of [KEY, TOKEN, front, back]) expect(trace.includes(secret), secret).toBe(false)
    }
  })

test('what is said while a call runs is shown with the secret taken out, and all the rest of it', async () => {
  const { output } = await traces(ways['says it while it runs'] as Partial<Tool>)
  expect(output).toBe(`${LONG}[REDACTED][REDACTED]${LONG}`)
})

test('the model reads that something was taken out', async () => {
  const { prompts } = await traces(ways['returns it'] as Partial<Tool>)
  expect(prompts).toContain('the key is [REDACTED], the token [REDACTED]')
})

test('a question of a running call is asked without the secret', async () => {
  const asking: Partial<Tool> = {
    async run(_, { ask }) {
      const { action } = await ask({ message: `Is ${KEY} yours?` })
      return action
    },
  }
  const decided = new Set<string>()
  const { all } = await traces(asking, {
    onFrame(it, frame) {
      if (frame.kind !== 'event' || frame.event.type !== 'approval.requested') return
      expect(frame.event.data.question?.message).toBe('Is [REDACTED] yours?')
      decided.add(frame.event.data.approvalId)
      void it.pending().then(([approval]) => it.decide(approval, 'approve'))
    },
  })
  expect(decided.size).toBe(1)
  for (const trace of all) expect(trace.includes(KEY)).toBe(false)
})
