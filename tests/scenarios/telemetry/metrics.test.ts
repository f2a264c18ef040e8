import { expect, test } from 'vitest'
import { createMetrics, type Metrics } from '../../../src/telemetry/index.ts'
import { parseExposition, valueOf } from '../../support/parse-exposition.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

function metricsOf(under: SegnoUnderTest): Metrics {
  const stats = () => under.segno.stats()
  return createMetrics(
    {
      streams: () => 0,
      roundsRunning: () => stats().running,
      roundsQueued: () => stats().queued,
      sessionsLive: () => stats().live,
      spansLost: () => 0,
      nodes: () => 1,
      leaseLeft: () => Infinity,
    },
    { version: '1.2.3', knownModel: (key) => key === under.segno.model },
  )
}

verifies('COO-7', 'counts what real rounds did, in a text that a strict scraper can read', async () => {
  const under = await segnoUnderTest({
    tools: [
      probe('look', { cost: 40 }),
      probe('send', { effect: 'unsafe', approval: 'ask', cost: 2 }),
      probe('break', {
        run: () => {
          throw new Error('no')
        },
      }),
    ],
    script: {
      scenarios: [
        {
          when: 'work',
          turns: [
            { calls: [{ name: 'look' }, { name: 'break' }, { name: 'invented' }], usage: { input: 100, output: 10 } },
            { text: 'Done.', usage: { input: 200, output: 20 } },
          ],
        },
        { when: 'send', turns: [{ calls: [{ name: 'send' }] }, { text: 'Not sent.' }] },
        { when: 'fail', turns: [{ fault: { kind: 'error', status: 400 } }] },
      ],
    },
  })
  await under.ask('work')
  const { round, approvals } = await under.askUntilWaiting('send')
  await under.decide(approvals[0], 'deny')
  await round.completion
  await under.ask('fail')

  const events = await under.events()
  const metrics = metricsOf(under)
  metrics.see(under.sessionId, events)
  const families = parseExposition(metrics.text())
  const value = (name: string, labels?: Record<string, string>) => valueOf(families, name, labels)

  expect(value('segno_events_stored_total')).toBe(events.length)
  expect(value('segno_rounds_started_total', { protocol: 'unified' })).toBe(3)
  expect(value('segno_rounds_ended_total', { protocol: 'unified', finish_reason: 'complete' })).toBe(2)
  expect(value('segno_rounds_ended_total', { protocol: 'unified', finish_reason: 'error' })).toBe(1)
  expect(value('segno_round_duration_seconds_count')).toBe(3)
  expect(value('segno_turns_total', { model: 'scripted', stop_reason: 'tool_use' })).toBe(2)
  expect(value('segno_turns_total', { model: 'scripted', stop_reason: 'error' })).toBe(1)
  expect(value('segno_turn_duration_seconds_count')).toBe(5)
  expect(value('segno_tool_calls_total', { outcome: 'ok' })).toBe(1)
  expect(value('segno_tool_calls_total', { outcome: 'error' })).toBe(1)
  expect(value('segno_tool_calls_total', { outcome: 'refused' })).toBe(1)
  expect(value('segno_tool_calls_total', { outcome: 'denied' })).toBe(1)
  expect(value('segno_tool_duration_seconds_count')).toBe(2)
  expect(value('segno_approvals_total', { decision: 'deny' })).toBe(1)
  expect(value('segno_cost_microdollars_total')).toBe(40)
  const used = said(events, 'turn.ended').map(({ usage }) => usage)
  const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0)
  expect(value('segno_tokens_total', { model: 'scripted', direction: 'input' })).toBe(sum(used.map((one) => one.input)))
  expect(value('segno_tokens_total', { model: 'scripted', direction: 'output' })).toBe(
    sum(used.map((one) => one.output)),
  )
  expect(value('segno_rounds_running')).toBe(0)
})

test('counts a round in the protocol it has, also one that a restart interrupts', async () => {
  const under = await segnoUnderTest({
    turns: [{ calls: [{ name: 'send' }] }, { text: 'Sent.' }],
    tools: [probe('send', { approval: 'ask' })],
  })
  const { approvals } = await under.askUntilWaiting('Go.', { protocol: 'triggered' })
  const before = await under.events()
  await under.reopen()
  await under.decide(approvals[0], 'approve')
  await under.until('round.ended')
  const after = (await under.events()).slice(before.length)

  const first = metricsOf(under)
  const second = metricsOf(under)
  first.see(under.sessionId, before)
  second.see(under.sessionId, after)
  const started = { protocol: 'triggered' }
  expect(valueOf(parseExposition(first.text()), 'segno_rounds_started_total', started)).toBe(1)
  expect(
    valueOf(parseExposition(second.text()), 'segno_rounds_ended_total', {
      protocol: 'other',
      finish_reason: 'complete',
    }),
  ).toBe(1)
})

test('has a word for every reason for which a model call is tried again, and each of its words has a reason', async () => {
  // Each call of the model has its turn, whether or not the turn is played.
  const notPlayed: ScriptedTurn = {}
  const broken = [
    new Error('ECONNRESET'),
    Object.assign(new Error('odd'), { type: 'server_error' }),
    Object.assign(new Error('odd'), { name: 'AI_TypeValidationError' }),
  ]
  const turns: ScriptedTurn[] = [
    ...broken.map(() => notPlayed),
    { fault: { kind: 'error', status: 429 } },
    { fault: { kind: 'overloaded' } },
    { fault: { kind: 'error', status: 408 } },
    { fault: { kind: 'error', status: 503 } },
    { fault: { kind: 'cut' } },
    { fault: { kind: 'stall' } },
    { text: 'At last.' },
    { text: '{}' },
  ]
  const under = await segnoUnderTest({
    script: {
      scenarios: [{ when: 'everything', turns }],
    },
    limits: { RETRIES: turns.length, BREAKER_FAILURES: 0, CONNECT_MS: 600 },
    model: (scripted) => ({
      ...scripted,
      doStream(options) {
        const error = broken.shift()
        if (error) return Promise.reject(error)
        return JSON.stringify(options.prompt.at(-1)).includes('never')
          ? new Promise(() => {})
          : scripted.doStream(options)
      },
    }),
  })
  await under.ask('everything', { limits: { modelCallMs: 800 }, output: { schema: { type: 'object' } } })
  await under.ask('never', { timeoutMs: 1000 })
  const metrics = metricsOf(under)
  metrics.see(under.sessionId, await under.events())
  const retries = parseExposition(metrics.text()).get('segno_turn_retries_total')
  expect(Object.fromEntries(retries?.samples.map(({ labels, value }) => [labels['reason'], value]) ?? [])).toEqual({
    connection: 1,
    connect: 1,
    failed: 1,
    senseless: 1,
    rate_limited: 1,
    overloaded: 1,
    provider_4xx: 1,
    provider_5xx: 1,
    cut: 1,
    silence: 1,
    misfit: 1,
  })
})
