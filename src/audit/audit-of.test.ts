import { describe, expect, test } from 'vitest'
import type { AuditRecord } from '../contract/audit.ts'
import type { EventData, EventType, NewEvent } from '../contract/event.ts'
import type { ToolResult } from '../contract/call-events.ts'
import { DEFAULT_ROUND_LIMITS } from '../../tests/support/limits.ts'
import { sha256 } from '../lib/hash.ts'
import { auditOf, type AuditedCall, type AuditedRound } from './audit-of.ts'
import { inputHash } from './input-hash.ts'

const SECRET = 'nobody may read this'

const event = <T extends EventType>(type: T, data: EventData[T]): NewEvent =>
  ({ id: 'e1', type, v: 1, at: 17, requestId: 'q1', data }) as NewEvent

const call = (more: Partial<AuditedCall> = {}): AuditedCall => ({
  callId: 'c1',
  name: 'send_mail',
  args: { body: SECRET, email: 'x' },
  raw: undefined,
  effect: null,
  approval: null,
  ...more,
})

const round = (...calls: AuditedCall[]): AuditedRound => ({
  started: { actor: { id: 'bob', tenant: 'acme' }, channel: 'desk' },
  turnEnded: { stopReason: 'end_turn' },
  turn: 2,
  executions: 1,
  runningMs: 120,
  calls,
  said: new Map([[2, SECRET]]),
})

/** What an event is recorded as; whatever it is, the secret is not in it. */
function audit(one: NewEvent, within: AuditedRound | null = null): readonly AuditRecord[] {
  const records = auditOf(one, { sessionId: 's1', actor: { id: 'ada', tenant: 'acme' }, round: within })
  expect(JSON.stringify(records)).not.toContain(SECRET)
  return records
}

const result = (more: Partial<ToolResult> = {}): NewEvent =>
  event('tool.result', {
    callId: 'c1',
    name: 'send_mail',
    signature: sha256('signature'),
    outcome: 'ok',
    effect: 'done',
    content: SECRET,
    durationMs: 5,
    cost: 7,
    ...more,
  })

const actions = (records: readonly AuditRecord[]): string[] => records.map((record) => record.action)

describe('every record', () => {
  test('says who, when and where, under an id of its own', () => {
    const records = audit(result(), round(call({ effect: 'unsafe' })))
    const common = { at: 17, requestId: 'q1', sessionId: 's1', userId: 'bob', tenant: 'acme' }
    expect(records).toMatchObject([
      { id: 'e1.1', category: 'tool', ...common },
      { id: 'e1.2', category: 'orchestrator', ...common },
    ])
  })

  test('is of the person who did it, where that is said', () => {
    const decided = { approvalId: 'a1', callId: 'c1', decision: 'deny', by: 'eve', reason: SECRET } as const
    expect(audit(event('approval.decided', decided), round(call()))).toMatchObject([
      { action: 'approval_decided', category: 'access', userId: 'eve', metadata: { decision: 'deny' } },
    ])
    const settled = { callId: 'c1', signature: 'x', happened: true, by: 'eve', note: SECRET }
    expect(audit(event('tool.reconciled', settled))).toMatchObject([
      { action: 'call_reconciled', userId: 'eve', metadata: { callId: 'c1', happened: true } },
    ])
    for (const type of ['session.deleted', 'session.archived', 'context.cleared'] as const) {
      expect(audit(event(type, { by: 'eve' }))).toMatchObject([{ userId: 'eve', action: type.replace('.', '_') }])
    }
    expect(audit(event('message.deleted', { target: 'e0', by: 'eve' }))).toMatchObject([
      { action: 'message_deleted', userId: 'eve', metadata: { messageId: 'e0' } },
    ])
  })

  test('is of the owner of the session otherwise', () => {
    const created = { actor: { id: 'ada', tenant: 'acme' }, workspaceId: 'w1', title: SECRET }
    expect(audit(event('session.created', created))).toMatchObject([{ action: 'session_created', userId: 'ada' }])
    expect(audit(event('session.changed', { title: SECRET }))).toMatchObject([{ userId: 'ada', metadata: {} }])
    const forked = { ...created, parent: { sessionId: 's0', seq: 3 } }
    expect(audit(event('session.forked', forked))).toMatchObject([{ metadata: { parentId: 's0' } }])
  })
})

describe('a round', () => {
  test('begins with its protocol, mode and model, and the size of the message', () => {
    const started: EventData['round.started'] = {
      requestId: 'q1',
      actor: { id: 'bob', tenant: 'acme' },
      permissions: ['*'],
      protocol: 'unified',
      mode: 'act',
      model: 'scripted',
      limits: DEFAULT_ROUND_LIMITS,
      toolResultsAs: 'tool',
      attended: true,
    }
    expect(audit(event('round.started', started), round())).toMatchObject([
      {
        action: 'orchestrator.request.start',
        metadata: { protocol: 'unified', mode: 'act', model: 'scripted', attended: true },
      },
    ])
    const message = event('message.user', { content: [{ type: 'text', text: SECRET }] })
    expect(audit(message, round())).toMatchObject([
      { action: 'message_received', category: 'channel', metadata: { chars: SECRET.length, channel: 'desk' } },
    ])
  })

  test('ends with how, how long, how much it said and what it cost', () => {
    const usage = { input: 10, output: 20, cachedRead: 3, estimated: true }
    const tokens = { inputTokens: 10, outputTokens: 20, cachedReadTokens: 3, estimated: true }
    const ended = event('round.ended', { finishReason: 'tool_limit', usage, cost: 42 })
    expect(audit(ended, round()).map(({ action, severity, metadata }) => [action, severity, metadata])).toEqual([
      [
        'orchestrator.request.complete',
        'info',
        { finishReason: 'tool_limit', durationMs: 120, turns: 2, toolCalls: 1 },
      ],
      [
        'message_complete',
        'info',
        { finishReason: 'tool_limit', stopReason: 'end_turn', chars: SECRET.length, durationMs: 120, ...tokens },
      ],
      ['orchestrator.cost.recorded', 'info', { cost: 42, durationMs: 120, ...tokens }],
    ])
  })

  test('that failed ends with that, and not with why', () => {
    const usage = { input: 0, output: 0 }
    const ended = event('round.ended', { finishReason: 'error', usage, cost: 0, error: SECRET })
    expect(audit(ended, round()).map(({ action, severity }) => [action, severity])).toEqual([
      ['orchestrator.request.error', 'error'],
      ['message_error', 'error'],
      ['orchestrator.cost.recorded', 'info'],
    ])
  })
})

describe('a call', () => {
  test('that starts is recorded with the hash of its redacted arguments', () => {
    const started = { callId: 'c1', idempotencyKey: SECRET, effect: 'unsafe', reserved: 0 } as const
    expect(audit(event('tool.started', started), round(call({ effect: 'unsafe' })))).toMatchObject([
      {
        action: 'orchestrator.tool.call',
        metadata: {
          tool: 'send_mail',
          callId: 'c1',
          effectClass: 'unsafe',
          inputHash: inputHash({ body: SECRET, email: 'somebody else' }),
        },
      },
    ])
  })

  for (const outcome of ['ok', 'error', 'timeout', 'unknown', 'cancelled'] as const) {
    test(`that was started and ended with ${outcome} was executed`, () => {
      const records = audit(result({ outcome, cut: 100 }), round(call({ effect: 'unsafe' })))
      expect(actions(records)).toEqual(['tool_executed', 'orchestrator.tool.result'])
      const sizes = { effect: 'done', durationMs: 5, cost: 7, chars: SECRET.length + 100 }
      expect(records[1]?.metadata).toEqual({ tool: 'send_mail', callId: 'c1', outcome, ...sizes })
    })
  }

  test('that was refused or denied was denied', () => {
    for (const [outcome, code] of [
      ['refused', 'PERMISSION'],
      ['denied', 'EXPIRED'],
    ] as const) {
      const records = audit(result({ outcome, code, effect: 'none' }), round(call()))
      expect(actions(records)).toEqual(['tool_denied', 'orchestrator.tool.result'])
      expect(records[0]).toMatchObject({ severity: 'warning', metadata: { tool: 'send_mail', outcome, code } })
    }
  })

  test('that was cancelled before it began was neither', () => {
    expect(actions(audit(result({ outcome: 'cancelled' }), round(call())))).toEqual(['orchestrator.tool.result'])
  })

  const named: [what: string, call: AuditedCall, result: Partial<ToolResult>, known: boolean][] = [
    ['of a tool that ran', call({ effect: 'pure' }), {}, true],
    ['a person was asked about', call({ approval: {} }), { outcome: 'denied' }, true],
    ['the gate refused for what it would do', call(), { outcome: 'refused', code: 'MODE' }, true],
    ['with nobody to ask', call(), { outcome: 'denied', code: 'UNATTENDED' }, true],
    ['of a tool nobody knows', call(), { outcome: 'refused', code: 'UNKNOWN_TOOL' }, false],
    ['that did not parse', call({ raw: '{' }), { outcome: 'refused', code: 'INVALID' }, false],
    ['nobody has looked at', call(), { outcome: 'cancelled' }, false],
  ]
  for (const [what, made, ended, known] of named) {
    test(`${what} is ${known ? 'named' : 'not named: the model may have made the name up'}`, () => {
      for (const record of audit(result({ name: 'my own words', ...ended }), round(made))) {
        expect(record.metadata).toMatchObject(
          known ? { tool: 'my own words' } : { tool: 'unknown', nameHash: sha256('my own words') },
        )
      }
    })
  }

  test('that is not in the round is not named either', () => {
    expect(audit(result({ code: 'LIMIT', outcome: 'refused' }), null)[0]?.metadata).toMatchObject({ tool: 'unknown' })
  })
})

describe("a model call of Segno's own", () => {
  const ask = { askId: 'k1', purpose: 'summary' } as const

  test('is recorded with what it cost when it is answered, and not before', () => {
    expect(audit(event('model.asked', { ...ask, model: 'm', because: SECRET }))).toEqual([])
    const usage = { input: 10, output: 4, cachedRead: 2 }
    const answered = event('model.answered', { ...ask, usage, cost: 30, durationMs: 5 })
    // In a round it is part of what the round costs.
    expect(audit(answered)).toEqual([])
    expect(audit({ ...answered, requestId: null })).toMatchObject([
      {
        action: 'orchestrator.cost.recorded',
        metadata: { cost: 30, durationMs: 5, inputTokens: 10, outputTokens: 4, cachedReadTokens: 2 },
      },
    ])
  })

  test('is recorded without a word of why it failed', () => {
    const failed = { ...ask, usage: { input: 0, output: 0 }, durationMs: 5, failed: SECRET }
    expect(actions(audit({ ...event('model.answered', failed), requestId: null }))).toEqual([
      'orchestrator.cost.recorded',
    ])
  })
})
