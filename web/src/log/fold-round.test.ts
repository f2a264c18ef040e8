import { expect, test } from 'vitest'
import { foldRound } from './fold-round.ts'
import { answeredRound, someLog } from './some-log.suite.ts'

test('a round shows what was asked, each turn and call in order, and what it came to', () => {
  const round = foldRound('r', answeredRound(someLog(), 'r', 'six times seven?'))
  expect(round).toMatchObject({
    state: 'ended',
    begun: { seq: 1, model: 'm', mode: 'act' },
    user: { seq: 2, content: [{ text: 'six times seven?' }] },
    finish: { reason: 'complete', cost: 3, at: 12_000 },
    firstSeq: 1,
    lastSeq: 12,
  })
  expect(round.steps).toMatchObject([
    { kind: 'turn', turn: 1, startedAt: 3000, endedAt: 5000, cost: 3, said: { text: 'Let me see.', final: false } },
    { kind: 'call', name: 'calculator', startedAt: 7000, result: { outcome: 'ok', chars: 2, durationMs: 4 } },
    { kind: 'turn', turn: 2, said: { text: '42.', final: true } },
  ])
})

test('a round whose beginning is not loaded shows what there is', () => {
  const round = foldRound('r', answeredRound(someLog(), 'r').slice(3))
  expect(round.begun).toBeUndefined()
  expect(round.steps.map((step) => (step.kind === 'turn' ? step.said?.text : step.kind))).toEqual([
    'Let me see.',
    'call',
    '42.',
  ])
  expect(round.finish?.reason).toBe('complete')
})

test('words of Segno itself stand behind what the model said, not in its place', () => {
  const event = someLog()
  const round = foldRound('r', [
    event('turn.started', 'r', { turn: 1, model: 'm' }),
    event('message.assistant', 'r', {
      turn: 1,
      content: [{ type: 'text', text: 'half' }],
      interrupted: true,
      final: false,
    }),
    event('message.assistant', 'r', {
      turn: 1,
      content: [{ type: 'text', text: '(Stopped.)' }],
      own: true,
      final: true,
    }),
  ])
  expect(round.steps).toMatchObject([
    { said: { text: 'half', interrupted: true } },
    { said: { text: '(Stopped.)', own: true } },
  ])
  expect(round.steps[0]).not.toHaveProperty('said.own')
})

test('an ask is pending until it is decided, and its wait is a rest of the round', () => {
  const event = someLog()
  const events = [
    event('tool.call', 'r', { callId: 'c', turn: 1, name: 'write_file', args: {} }),
    event('approval.requested', 'r', { approvalId: 'a', callId: 'c', reason: 'it writes', target: 'x' }),
    event('round.waiting', 'r', { for: 'approval', callIds: ['c'], until: null }),
    event('approval.decided', 'r', { approvalId: 'a', callId: 'c', decision: 'deny', by: 'ada' }),
    event('round.resumed', 'r', { n: 1, turn: 2, reason: 'decided' }),
  ]
  expect(foldRound('r', events.slice(0, 3))).toMatchObject({
    state: 'waiting',
    steps: [{ approval: { id: 'a', status: 'pending', isQuestion: false } }],
    rests: [{ why: 'approval', from: 3000 }],
  })
  expect(foldRound('r', events)).toMatchObject({
    state: 'running',
    steps: [{ approval: { status: 'deny', by: 'ada', decidedAt: 4000 } }],
    rests: [{ why: 'approval', from: 3000, to: 5000 }],
  })
})

test('a call that answers later is a rest of the round until its result', () => {
  const event = someLog()
  const events = [
    event('tool.call', 'r', { callId: 'c', turn: 1, name: 'print', args: {} }),
    event('tool.started', 'r', { callId: 'c', effect: 'unsafe' }),
    event('tool.submitted', 'r', { callId: 'c', ref: 'job', until: 9000 }),
    event('round.waiting', 'r', { for: 'result', callIds: ['c'], until: 9000 }),
    event('round.waiting', 'r', { for: 'result', callIds: ['c'], until: 9900 }),
  ]
  const round = foldRound('r', events)
  expect(round).toMatchObject({ state: 'waiting', steps: [{ startedAt: 2000, submitted: { at: 3000, until: 9000 } }] })
  expect(round.rests).toEqual([
    { why: 'result', from: 4000, to: 5000 },
    { why: 'result', from: 5000 },
  ])
})

test('a decision about another ask changes nothing', () => {
  const event = someLog()
  const round = foldRound('r', [
    event('tool.call', 'r', { callId: 'c', turn: 1, name: 'write_file', args: {} }),
    event('approval.requested', 'r', { approvalId: 'new', callId: 'c', reason: '', target: '' }),
    event('approval.decided', 'r', { approvalId: 'old', callId: 'c', decision: 'stale', by: '' }),
  ])
  expect(round.steps).toMatchObject([{ approval: { id: 'new', status: 'pending' } }])
})

test('a turn that was asked again keeps every attempt and the model that answered', () => {
  const event = someLog()
  const round = foldRound('r', [
    event('turn.started', 'r', { turn: 1, model: 'one' }),
    event('turn.retried', 'r', { turn: 1, reason: 'overloaded', model: 'one', waitMs: 500 }),
    event('turn.retried', 'r', { turn: 1, reason: 'overloaded', model: 'two', waitMs: 0 }),
  ])
  expect(round.steps).toMatchObject([{ model: 'two', retries: [{ waitMs: 500 }, { model: 'two' }] }])
})

test('the time nobody drove a round is a rest, from the last thing that was stored', () => {
  const event = someLog()
  const round = foldRound('r', [
    event('turn.started', 'r', { turn: 1, model: 'm' }),
    event('round.resumed', 'r', { n: 1, turn: 1, reason: 'takeover' }),
  ])
  expect(round.rests).toEqual([{ why: 'takeover', from: 1000, to: 2000 }])
})

test('a summary and what Segno itself asked for stand in the round that needed them', () => {
  const event = someLog()
  const usage = { input: 100, output: 10 }
  const ask = { askId: 'a', purpose: 'summary' } as const
  const round = foldRound('r', [
    event('model.asked', 'r', { ...ask, model: 'm', because: 'it is full' }),
    event('model.answered', 'r', { ...ask, usage, cost: 7, durationMs: 900 }),
    event('compact.summary', 'r', { text: 'They agreed.', upTo: 9, saved: 50 }),
    event('model.asked', 'r', { ...ask, askId: 'b', model: 'm', because: 'it is full' }),
    event('model.answered', 'r', { ...ask, askId: 'b', usage, durationMs: 900, failed: 'The provider is away.' }),
  ])
  expect(round.ownAsks).toMatchObject([
    { askId: 'a', because: 'it is full', startedAt: 1000, endedAt: 2000, cost: 7 },
    { askId: 'b', startedAt: 4000, endedAt: 5000, failed: 'The provider is away.' },
  ])
  expect(round.steps).toMatchObject([
    { kind: 'summary', seq: 3, text: 'They agreed.', upTo: 9, saved: 50 },
    { kind: 'notice', seq: 5, text: expect.stringContaining('The provider is away.') as string },
  ])
})
