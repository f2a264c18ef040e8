import { expect, test } from 'vitest'
import { verifies } from '../../tests/support/verifies.ts'
import type { EventData, EventType, StoredEvent } from '../contract/event.ts'
import type { ToolResult } from '../contract/call-events.ts'
import { traceOf } from './trace-of.ts'

const R = '[REDACTED]'
let seq = 0
const event = <T extends EventType>(type: T, data: EventData[T]): StoredEvent =>
  ({ id: `e${++seq}`, sessionId: 's1', seq, type, v: 1, at: 1000 + seq, requestId: 'q1', data }) as StoredEvent

const turn = (n: number, tools?: string[]): StoredEvent =>
  event('turn.started', { turn: n, model: 'm', last: false, layerHashes: [], ...(tools && { tools }) })
const called = (args: EventData['tool.call']['args'], raw?: string, name = 'look'): StoredEvent =>
  event('tool.call', { callId: 'c', turn: 1, name, args, signature: 's', ...(raw !== undefined && { raw }) })
const result = (more: Partial<ToolResult> = {}): StoredEvent =>
  event('tool.result', {
    callId: 'c',
    name: 'look',
    signature: 's',
    outcome: 'ok',
    effect: 'none',
    content: 'seen',
    durationMs: 3,
    cost: 0,
    ...more,
  })

verifies('PHA-9', 'a trace tells registrations, calls, results, duplicates and phases in their order', () => {
  const events = [
    event('phase.started', { phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 }),
    turn(1, ['look', 'write']),
    called({ at: 'here' }),
    event('tool.started', { callId: 'c', idempotencyKey: 'k', effect: 'pure', reserved: 0 }),
    result(),
    event('phase.ended', { phaseIndex: 1, reason: 'executed' }),
    turn(2),
    called({ at: 'here' }),
    result({ outcome: 'refused', code: 'DUPLICATE', content: 'look was already called' }),
    event('notice', { text: 'not a trace', reason: 'x' }),
    turn(3, ['look']),
  ]
  expect(traceOf(events).map(({ at: _, ...entry }) => entry)).toEqual([
    { type: 'orchestration_phase_start', phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 },
    { type: 'tool_registration', turn: 1, tools: ['look', 'write'] },
    { type: 'tool_call', callId: 'c', turn: 1, tool: 'look', args: { at: 'here' } },
    {
      type: 'tool_result',
      callId: 'c',
      tool: 'look',
      outcome: 'ok',
      effect: 'none',
      output: 'seen',
      durationMs: 3,
      cost: 0,
    },
    { type: 'orchestration_phase_end', phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1, reason: 'executed' },
    { type: 'tool_call', callId: 'c', turn: 1, tool: 'look', args: { at: 'here' } },
    {
      type: 'duplicate_tool_call',
      callId: 'c',
      tool: 'look',
      outcome: 'refused',
      code: 'DUPLICATE',
      effect: 'none',
      output: 'look was already called',
      durationMs: 3,
      cost: 0,
    },
    { type: 'tool_registration', turn: 3, tools: ['look'] },
  ])
  expect(traceOf(events)[0]?.at).toBe(events[0]?.at)
})

verifies('PHA-9', 'a trace shows arguments and outputs without personal fields, addresses and keys', () => {
  const args = { to: 'ada@example.org', headers: [{ apiKey: 'k', accept: 'text' }], n: 1 }
  const raw = '{"password": "hunter2", '
  const trace = traceOf([
    called(args, raw),
    result({ content: '{"email":"x","page":"the page"}' }),
    result({ content: 'Authorization: Bearer abcdefgh, mail bob@example.org' }),
  ])
  expect(trace).toMatchObject([
    { args: { to: R, headers: [{ apiKey: R, accept: 'text' }], n: 1 }, raw: `{"password": ${R}, ` },
    { output: JSON.stringify({ email: R, page: 'the page' }) },
    { output: `Authorization: Bearer ${R}, mail ${R}` },
  ])
})

verifies(['PHA-9', 'GOV-18'], 'a trace does not show what was to be remembered of a person', () => {
  const trace = traceOf([called({ content: 'Likes tea', replaces: 'Likes milk' }, '{"content":"Likes', 'remember')])
  expect(trace).toMatchObject([{ tool: 'remember', args: R, raw: R }])
})

test('a trace shows the whole of an output', () => {
  const content = 'a long walk '.repeat(100_000)
  expect(traceOf([result({ content })])).toMatchObject([{ output: content }])
})

test('a trace leaves the events as they were', () => {
  const call = called({ email: 'x', list: [{ key: 'y' }] })
  const before = JSON.stringify(call)
  traceOf([call])
  expect(JSON.stringify(call)).toBe(before)
})
