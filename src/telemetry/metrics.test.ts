import { expect, test } from 'vitest'
import { givenLog, roundEnded, roundStarted } from '../../tests/support/given-log.ts'
import { parseExposition, valueOf } from '../../tests/support/parse-exposition.ts'
import { draftEvent, type EventData, type EventDraft } from '../contract/event.ts'
import type { Gauges } from './instruments.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { METRICS } from './names.ts'

const GAUGES: Gauges = {
  streams: () => 3,
  roundsRunning: () => 2,
  roundsQueued: () => 5,
  sessionsLive: () => 8,
  spansLost: () => 13,
  nodes: () => 1,
  leaseLeft: () => Infinity,
}

const newMetrics = (): Metrics => createMetrics(GAUGES, { version: '1.2.3', knownModel: (key) => key === 'm' })

const read = (metrics: Metrics) => parseExposition(metrics.text())

const turnEnded = (more: Partial<EventData['turn.ended']> = {}): EventDraft =>
  draftEvent('turn.ended', {
    turn: 1,
    stopReason: 'end_turn',
    usage: { input: 10, output: 4 },
    durationMs: 1500,
    ...more,
  })

const turnStarted = (model: string): EventDraft =>
  draftEvent('turn.started', { turn: 1, model, last: false, layerHashes: [] })

test('has every metric there is a name for, each introduced once', () => {
  const families = read(newMetrics())
  expect([...families.keys()].sort()).toEqual(
    Object.values(METRICS)
      .map(({ name }) => name)
      .sort(),
  )
})

test('reads what is true now, and the version, at each scrape', () => {
  const families = read(newMetrics())
  expect(valueOf(families, METRICS.streams.name)).toBe(3)
  expect(valueOf(families, METRICS.roundsRunning.name)).toBe(2)
  expect(valueOf(families, METRICS.roundsQueued.name)).toBe(5)
  expect(valueOf(families, METRICS.sessionsLive.name)).toBe(8)
  expect(valueOf(families, METRICS.spansLost.name)).toBe(13)
  expect(valueOf(families, METRICS.info.name, { version: '1.2.3' })).toBe(1)
  expect(valueOf(families, METRICS.memory.name)).toBeGreaterThan(1_000_000)
  expect(valueOf(families, METRICS.cpu.name)).toBeGreaterThan(0)
})

test('counts turns and tokens under their model, and a model it does not know as other', () => {
  const metrics = newMetrics()
  metrics.see('s', givenLog(roundStarted(), turnStarted('m'), turnEnded(), roundEnded()))
  metrics.see('s', givenLog(roundStarted(), turnStarted('somebody-made-this-up'), turnEnded(), roundEnded()))
  const families = read(metrics)
  for (const model of ['m', 'other']) {
    expect(valueOf(families, METRICS.turns.name, { model, stop_reason: 'end_turn' })).toBe(1)
    expect(valueOf(families, METRICS.tokens.name, { model, direction: 'input' })).toBe(10)
    expect(valueOf(families, METRICS.tokens.name, { model, direction: 'output' })).toBe(4)
  }
  expect(valueOf(families, `${METRICS.turnDuration.name}_sum`)).toBe(3)
})

test('counts tokens and cost of what Segno asks models for itself', () => {
  const metrics = newMetrics()
  const ask = { askId: 'a', purpose: 'title' } as const
  const answered = { ...ask, usage: { input: 10, output: 4 }, cost: 30, durationMs: 5 }
  metrics.see(
    's',
    givenLog(
      draftEvent('model.asked', { ...ask, model: 'm', because: 'it has none' }),
      draftEvent('model.answered', answered),
      draftEvent('model.answered', answered),
    ),
  )
  const families = read(metrics)
  for (const model of ['m', 'other'])
    expect(valueOf(families, METRICS.tokens.name, { model, direction: 'input' })).toBe(10)
  expect(valueOf(families, METRICS.cost.name)).toBe(60)
})

test('does not count the time a round rests, however long that is', () => {
  const metrics = newMetrics()
  const events = givenLog(
    roundStarted(),
    draftEvent('round.waiting', { for: 'approval', callIds: ['c'], until: null }),
    draftEvent('approval.decided', { approvalId: 'a', callId: 'c', decision: 'approve', by: 'ada' }),
    draftEvent('round.resumed', { n: 1, turn: 1, reason: 'decided' }),
    roundEnded(),
  )
  const week = 7 * 24 * 3600 * 1000
  metrics.see(
    's',
    events.map((event, i) => ({ ...event, at: event.at + (i >= 2 ? week : 0) })),
  )
  expect(valueOf(read(metrics), `${METRICS.roundDuration.name}_count`)).toBe(1)
  expect(valueOf(read(metrics), `${METRICS.roundDuration.name}_sum`)).toBeCloseTo(0.02)
})

test('counts the end of a round that an earlier process started, without a duration', () => {
  const metrics = newMetrics()
  metrics.see('s', givenLog(roundStarted(), roundEnded('error')).slice(1))
  const families = read(metrics)
  expect(valueOf(families, METRICS.roundsEnded.name, { protocol: 'other', finish_reason: 'error' })).toBe(1)
  expect(valueOf(families, METRICS.roundsStarted.name, { protocol: 'unified' })).toBe(0)
  expect(valueOf(families, `${METRICS.roundDuration.name}_count`)).toBe(0)
})

test('counts a round and its cost once, whoever forks from the middle of it', () => {
  const metrics = newMetrics()
  const actor = { id: 'ada', tenant: 'local' }
  const ended = draftEvent('round.ended', { finishReason: 'cancelled', usage: { input: 1, output: 1 }, cost: 70 })
  metrics.see('s', givenLog(roundStarted()))
  const forked = draftEvent('session.forked', {
    actor,
    workspaceId: 'w',
    title: '',
    parent: { sessionId: 's', seq: 1 },
  })
  metrics.see('fork', givenLog(forked, turnEnded(), ended))
  const families = read(metrics)
  expect(valueOf(families, METRICS.roundsEnded.name, { protocol: 'unified', finish_reason: 'cancelled' })).toBe(0)
  expect(valueOf(families, METRICS.cost.name)).toBe(0)
  expect(valueOf(families, METRICS.events.name)).toBe(4)
})

test('measures a tool only if it ran, and a turn only if it was not cancelled', () => {
  const metrics = newMetrics()
  const result = (outcome: EventData['tool.result']['outcome']): EventDraft =>
    draftEvent('tool.result', {
      callId: outcome,
      name: 't',
      signature: '',
      outcome,
      effect: 'none',
      content: '',
      durationMs: 2000,
      cost: 0,
    })
  metrics.see(
    's',
    givenLog(result('ok'), result('refused'), result('unknown'), turnEnded({ stopReason: 'cancelled', durationMs: 0 })),
  )
  const families = read(metrics)
  expect(valueOf(families, `${METRICS.toolDuration.name}_count`)).toBe(1)
  expect(valueOf(families, METRICS.toolCalls.name, { outcome: 'refused' })).toBe(1)
  expect(valueOf(families, METRICS.toolCalls.name, { outcome: 'unknown' })).toBe(1)
  expect(valueOf(families, `${METRICS.turnDuration.name}_count`)).toBe(0)
})

test('counts requests by method, route and status, and what it does not know as other', () => {
  const metrics = newMetrics()
  metrics.request('POST', '/api/sessions/:id/messages', 202, 0.02)
  metrics.request('BREW', '/api/sessions/what is this?', 1000, 0.5)
  metrics.rejected('RATE_LIMITED')
  metrics.rejected('there was no room for "this"')
  metrics.dropped()
  const families = read(metrics)
  const route = '/api/sessions/:id/messages'
  expect(valueOf(families, METRICS.requests.name, { method: 'POST', route, status: '202' })).toBe(1)
  expect(valueOf(families, METRICS.requests.name, { method: 'other', route: 'other', status: 'other' })).toBe(1)
  expect(valueOf(families, `${METRICS.requestDuration.name}_bucket`, { route, le: '0.025' })).toBe(1)
  expect(valueOf(families, METRICS.rejected.name, { code: 'RATE_LIMITED' })).toBe(1)
  expect(valueOf(families, METRICS.rejected.name, { code: 'other' })).toBe(1)
  expect(valueOf(families, METRICS.readersDropped.name)).toBe(1)
})

test('notices an event loop that is held up', async () => {
  const metrics = newMetrics()
  metrics.text()
  await new Promise((resolve) => setTimeout(resolve, 60))
  for (const until = performance.now() + 150; performance.now() < until;);
  await new Promise((resolve) => setTimeout(resolve, 60))
  const families = read(metrics)
  metrics.close()
  expect(valueOf(families, METRICS.lagMax.name)).toBeGreaterThan(0.1)
})
