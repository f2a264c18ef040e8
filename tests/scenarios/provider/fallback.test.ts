import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { Limits } from '../../../src/config/index.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Protocol } from '../../../src/contract/outcome.ts'
import { watchClient } from '../../recordings/watch-client.ts'
import type { Play } from '../../support/faulty-provider/exchange.ts'
import { answers, breaksOff, calls, refuses, WELL } from '../../support/faulty-provider/plays.ts'
import { USED } from '../../support/faulty-provider/speaker.ts'
import { WIRE_NAMES, type WireName } from '../../support/faulty-provider/wires.ts'
import { verifies } from '../../support/verifies.ts'
import { said } from './support/fault.ts'
import { openStage, type Stage } from './support/stage.ts'
import { CANARY } from './support/trial.ts'

interface Entry {
  readonly provider: WireName
  readonly model?: string
  readonly fallback?: string
  readonly prices?: { readonly input: number; readonly output: number }
}

async function open(
  entries: Readonly<Record<string, Entry>>,
  { env = {}, limits = {} }: { env?: Record<string, string>; limits?: Partial<Limits> } = {},
): Promise<Stage> {
  const models = Object.entries(entries).map(([key, entry]) => [key, { model: 'm', ...entry }])
  const stage = await openStage(
    {
      TOTAL_MS: 60_000,
      CONNECT_MS: 20_000,
      CONTENT_GAP_MS: 30_000,
      MODEL_CALL_MS: 60_000,
      RETRY_BASE_MS: 1,
      ...limits,
    },
    { SEGNO_MODELS: JSON.stringify(Object.fromEntries(models)), ...env },
  )
  onTestFinished(() => stage.close())
  return stage
}

/** A conversation in which each provider does what it is told; `asked` lists which were asked, in their order. */
async function converse(
  stage: Stage,
  model: string,
  plays: Partial<Record<WireName, Play>>,
  protocol: Protocol = 'unified',
  workspaceId?: string,
) {
  const { segno } = stage
  const asked: WireName[] = []
  const { mark } = stage.plan((_, { wire }) => {
    asked.push(wire.name)
    return plays[wire.name] ?? answers
  })
  const { id: sessionId } = await segno.createSession({
    model,
    protocol,
    ...(workspaceId !== undefined && { workspaceId }),
  })
  const client = watchClient(segno, sessionId)
  const send = async (content: string) => {
    asked.length = 0
    const { requestId, completion } = await segno.streamRequest(sessionId, content)
    const round = await completion
    await client.roundEnded(requestId)
    const events = (await segno.sessions.events(LOCAL_OWNER, sessionId)).filter((one) => one.requestId === requestId)
    return { ...round, events, asked: [...asked] }
  }
  const first = await send(`Look ${mark} ${CANARY}.`)
  return {
    ...first,
    plays,
    more: () => send('And now?'),
    /** what a client was shown wrongly */
    async faults() {
      return client.end(await segno.sessions.events(LOCAL_OWNER, sessionId))
    },
  }
}

const status = (code: number, headers: Record<string, string> = {}): Play => refuses(code, headers, CANARY)

const fallbackNotices = (events: readonly StoredEvent[]): string[] =>
  said(events, 'notice').flatMap(({ text, reason }) => (reason === 'fallback' ? text : []))
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one)

for (const protocol of ['unified', 'triggered'] as const) {
  verifies(
    'COO-6',
    `${protocol}: after the retries of a model its fallback answers, whoever the two are, and people are told`,
    async () => {
      const next = (at: number): WireName => WIRE_NAMES[(at + 1) % WIRE_NAMES.length] as WireName
      const entries = WIRE_NAMES.flatMap((provider, at): [string, Entry][] => [
        [`a-${provider}`, { provider, fallback: `b-${next(at)}` }],
        [`b-${provider}`, { provider }],
      ])
      const stage = await open(Object.fromEntries(entries))
      for (const [at, name] of WIRE_NAMES.entries()) {
        const other = next(at)
        const { content, events, asked, ...talk } = await converse(
          stage,
          `a-${name}`,
          { [name]: status(529) },
          protocol,
        )
        expect(content).toBe(WELL)
        expect(asked).toEqual([...times(4, name), other])
        expect(said(events, 'turn.retried').map(({ model }) => model)).toEqual([...times(3, `a-${name}`), `b-${other}`])
        expect(fallbackNotices(events)).toEqual([`a-${name} does not answer (overloaded); b-${other} answers instead.`])
        // The next message is asked where the person wants it.
        talk.plays[name] = answers
        expect(await talk.more()).toMatchObject({ content: WELL, asked: [name] })
        expect(await talk.faults()).toEqual([])
      }
    },
  )

  verifies('COO-6', `${protocol}: the rest of the round stays with the fallback`, async () => {
    const stage = await open({ a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'deepseek' } })
    let turn = 0
    const { content, events, asked, ...talk } = await converse(
      stage,
      'a',
      { anthropic: status(500), deepseek: (exchange) => (++turn === 1 ? calls : answers)(exchange) },
      protocol,
    )
    expect(content).toBe(WELL)
    expect(asked).toEqual([...times(4, 'anthropic'), 'deepseek', 'deepseek'])
    expect(said(events, 'turn.started').map(({ model }) => model)).toEqual(['a', 'b'])
    expect(fallbackNotices(events)).toHaveLength(1)
    expect(said(events, 'tool.result')).toHaveLength(1)
    expect(await talk.more()).toMatchObject({ asked: [...times(4, 'anthropic'), 'deepseek'], content: WELL })
    expect(await talk.faults()).toEqual([])
  })
}

verifies('COO-6', 'what a model had shown is taken back once when its fallback takes over', async () => {
  const stage = await open(
    { a: { provider: 'openai', fallback: 'b' }, b: { provider: 'google' } },
    { limits: { RETRIES: 0 } },
  )
  const { content, events, faults } = await converse(stage, 'a', { openai: breaksOff })
  expect(content).toBe(WELL)
  expect(said(events, 'turn.retried')).toMatchObject([{ shown: true, model: 'b' }])
  expect(await faults()).toEqual([])
})

verifies('COO-6', 'a fallback does not take back what was shown after one reset already', async () => {
  const stage = await open({ a: { provider: 'openai', fallback: 'b' }, b: { provider: 'google' } })
  const { finishReason, events, asked, faults } = await converse(stage, 'a', { openai: breaksOff })
  expect({ finishReason, asked }).toEqual({ finishReason: 'error', asked: ['openai', 'openai'] })
  expect(said(events, 'turn.retried')).toMatchObject([{ shown: true, model: 'a' }])
  expect(said(events, 'message.assistant')[0]).toMatchObject({ interrupted: true })
  expect(await faults()).toEqual([])
})

verifies('COO-6', 'a round costs what both models cost', async () => {
  const prices = { input: 3_000_000, output: 5_000_000 }
  const free = { input: 0, output: 0 }
  const stage = await open(
    {
      'a-free': { provider: 'openai', prices: free, fallback: 'b' },
      'a-alone': { provider: 'openai', prices, fallback: 'b-free' },
      a: { provider: 'openai', prices, fallback: 'b' },
      b: { provider: 'google', prices },
      'b-free': { provider: 'google', prices: free },
    },
    { limits: { RETRIES: 0 } },
  )
  const costOf = async (model: string): Promise<number> => {
    const { cost, content, usage } = await converse(stage, model, { openai: breaksOff })
    expect(content).toBe(WELL)
    expect(usage.estimated).toBe(true)
    return cost
  }
  const ofB = USED.input * 3 + USED.output * 5
  expect(await costOf('a-free')).toBe(ofB)
  const ofA = await costOf('a-alone')
  expect(ofA).toBeGreaterThan(0)
  expect(await costOf('a')).toBeGreaterThan(0.9 * ofA + ofB)
})

verifies(
  'COO-6',
  'a provider that wants to be asked again in a year is not waited for: the fallback answers',
  async () => {
    const stage = await open({ a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'ollama' } })
    const { content, asked, events } = await converse(stage, 'a', {
      anthropic: status(429, { 'retry-after': '31536000' }),
    })
    expect({ content, asked }).toEqual({ content: WELL, asked: ['anthropic', 'ollama'] })
    expect(said(events, 'turn.retried')).toMatchObject([{ waitMs: 0, model: 'b', reason: 'rate limited' }])
  },
)

verifies('COO-6', 'a provider that is left alone is not asked: the fallback answers', async () => {
  const stage = await open(
    { a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'ollama' } },
    { limits: { BREAKER_FAILURES: 4, BREAKER_MS: 60_000 } },
  )
  await converse(stage, 'a', { anthropic: status(500) })
  const { content, asked, events } = await converse(stage, 'a', {})
  expect({ content, asked }).toEqual({ content: WELL, asked: ['ollama'] })
  expect(fallbackNotices(events)).toEqual([
    expect.stringMatching(
      /^a does not answer \(anthropic failed 4 times in a row and is left alone for \d+ s\); b answers instead\.$/,
    ),
  ])
})

verifies('COO-6', 'a fallback that is not set up is none', async () => {
  const stage = await open(
    { a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'deepseek' } },
    { env: { DEEPSEEK_API_KEY: '' } },
  )
  const { finishReason, asked, events } = await converse(stage, 'a', { anthropic: status(529) })
  expect({ finishReason, asked }).toEqual({ finishReason: 'error', asked: times(4, 'anthropic') })
  expect(said(events, 'notice').map(({ text }) => text)).toEqual([
    'The model call failed: overloaded. Try again in a few minutes, or choose another model.',
  ])
})

const CHAIN: Record<string, Entry> = {
  a: { provider: 'anthropic', fallback: 'b' },
  b: { provider: 'openai', fallback: 'c' },
  c: { provider: 'google' },
}

verifies('COO-6', 'a fallback may have a fallback', async () => {
  const stage = await open(CHAIN, { limits: { RETRIES: 1 } })
  const { content, asked, events } = await converse(stage, 'a', { anthropic: status(500), openai: status(401) })
  expect({ content, asked }).toEqual({ content: WELL, asked: ['anthropic', 'anthropic', 'openai', 'google'] })
  expect(fallbackNotices(events)).toEqual([
    'a does not answer (the provider answered 500 (api_error)); b answers instead.',
    'b does not answer (the key was refused); c answers instead.',
  ])
})

const ends: Record<string, readonly [Record<string, Entry>, readonly WireName[]]> = {
  'the last fallback fails too': [CHAIN, ['anthropic', 'openai', 'google']],
  'two models stand in for each other': [
    { ...CHAIN, b: { provider: 'openai', fallback: 'a' } },
    ['anthropic', 'openai'],
  ],
}

for (const [when, [entries, order]] of Object.entries(ends)) {
  verifies('COO-6', `a round comes to its end when ${when}`, async () => {
    const stage = await open(entries, { limits: { RETRIES: 1 } })
    const all = Object.fromEntries(WIRE_NAMES.map((name) => [name, status(529)]))
    const { finishReason, asked, events, faults } = await converse(stage, 'a', all)
    expect({ finishReason, asked }).toEqual({ finishReason: 'error', asked: order.flatMap((name) => times(2, name)) })
    expect(said(events, 'round.ended')).toHaveLength(1)
    expect(said(events, 'notice').at(-1)).toMatchObject({
      text: 'The model call failed: overloaded. Try again in a few minutes, or choose another model.',
    })
    expect(await faults()).toEqual([])
  })
}

verifies('COO-6', 'a fallback the workspace does not have is none', async () => {
  const stage = await open({ a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'deepseek' } })
  const { id } = await stage.segno.workspaces.create(LOCAL_OWNER, { models: ['a'] })
  const { asked, finishReason } = await converse(stage, 'a', { anthropic: status(500) }, 'unified', id)
  expect([asked, finishReason]).toEqual([times(4, 'anthropic'), 'error'])
})

verifies('GOV-6', 'what a fallback used is told as its own', async () => {
  const stage = await open({ a: { provider: 'anthropic', fallback: 'b' }, b: { provider: 'deepseek' } })
  await converse(stage, 'a', { anthropic: status(500) })
  const [used] = await stage.segno.readings.usage(LOCAL_OWNER, {})
  expect(used).toMatchObject({ model: 'b', rounds: 1, usage: { output: expect.any(Number) as number } })
})
