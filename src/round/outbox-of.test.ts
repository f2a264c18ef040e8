import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '../contract/automation.ts'
import type { EventData, EventType, NewEvent } from '../contract/event.ts'
import type { ToolResult } from '../contract/call-events.ts'
import { NO_USAGE } from '../contract/message.ts'
import { OUTCOMES } from '../contract/outcome.ts'
import { outboxOf, type HappenedRound } from './outbox-of.ts'

const WORDS = 'nobody may read this'
const ALL: ReadonlySet<string> = new Set(EVENT_TYPES)

const event = <T extends EventType>(type: T, data: EventData[T], requestId: string | null = 'q1'): NewEvent =>
  ({ id: 'e1', type, v: 1, at: 17, requestId, data }) as NewEvent

const round = (depth?: number): HappenedRound => ({
  started: {
    actor: { id: 'bob', tenant: 'acme' },
    ...(depth !== undefined && { origin: { kind: 'hook', id: 'h1', depth, hasPayload: true } }),
  },
  calls: [{ callId: 'c1', name: 'send_mail' }],
})

/** What is told of an event; whatever it is, its words are not in it. */
function told(one: NewEvent, within: HappenedRound | null = round(), wanted = ALL) {
  const about = { sessionId: 's1', workspaceId: 'w1', actor: { id: 'ada', tenant: 'acme' }, seq: 7, round: within }
  const event = outboxOf(one, about, wanted)
  expect(JSON.stringify(event) ?? '').not.toContain(WORDS)
  return event
}

const said = (more: Partial<EventData['message.assistant']> = {}): NewEvent =>
  event('message.assistant', {
    turn: 1,
    content: [{ type: 'text', text: WORDS }],
    stopReason: 'end_turn',
    usage: NO_USAGE,
    final: true,
    ...more,
  })

const user = (more: Partial<EventData['message.user']> = {}): NewEvent =>
  event('message.user', { content: [{ type: 'text', text: WORDS }], ...more })

const result = (more: Partial<ToolResult> = {}): NewEvent =>
  event('tool.result', {
    callId: 'c1',
    name: 'send_mail',
    signature: 'x',
    outcome: 'error',
    effect: 'none',
    content: WORDS,
    durationMs: 5,
    cost: 7,
    ...more,
  })

const asked = (more: Partial<EventData['approval.requested']> = {}): NewEvent =>
  event('approval.requested', {
    approvalId: 'a1',
    callId: 'c1',
    tool: 'send_mail',
    args: { body: WORDS },
    argsHash: 'h',
    definitionHash: 'h',
    target: WORDS,
    reason: WORDS,
    rememberable: true,
    expiresAt: 1000,
    ...more,
  })

const WHERE = { sessionId: 's1', workspaceId: 'w1', eventId: 'e1', seq: 7, requestId: 'q1' }

describe('what is told of an event', () => {
  test('has the id of the event, whose it is, and where it happened', () => {
    expect(told(user())).toEqual({
      id: 'e1',
      type: 'chat.message.created',
      tenant: 'acme',
      userId: 'bob',
      sessionId: 's1',
      at: 17,
      payload: { ...WHERE, role: 'user', chars: WORDS.length, files: 0 },
      depth: 0,
    })
  })

  test('says what kind of automation its round comes from, and how deep it is', () => {
    expect(told(user(), round(3))).toMatchObject({ depth: 3, payload: { origin: 'hook' } })
  })

  test('is the sender of a message that starts no round', () => {
    expect(told(user(), null)).toMatchObject({ userId: 'ada', depth: 0 })
  })

  test('of an answer is its size', () => {
    expect(told(said())?.payload).toEqual({ ...WHERE, role: 'assistant', chars: WORDS.length, files: 0 })
  })

  test('of a failed call is its tool, its outcome and sizes', () => {
    expect(told(result({ cut: 10, outcome: 'timeout' }))).toMatchObject({
      type: 'tool.invocation.failed',
      payload: {
        ...WHERE,
        callId: 'c1',
        tool: 'send_mail',
        outcome: 'timeout',
        effect: 'none',
        durationMs: 5,
        chars: 30,
      },
    })
  })

  test('of a question to a person is which call it is about and until when it can be answered', () => {
    expect(told(asked({ question: { message: WORDS } }))).toMatchObject({
      type: 'approval.requested',
      payload: {
        ...WHERE,
        approvalId: 'a1',
        callId: 'c1',
        tool: 'send_mail',
        chars: JSON.stringify({ body: WORDS }).length,
        isQuestion: true,
        expiresAt: '1970-01-01T00:00:01.000Z',
      },
    })
  })

  test.each(['approve', 'deny', 'expired'] as const)('of its end is the decision "%s" and by whom', (decision) => {
    const decided = event('approval.decided', { approvalId: 'a1', callId: 'c1', decision, by: 'eve', reason: WORDS })
    expect(told(decided)).toMatchObject({
      type: 'approval.completed',
      payload: { ...WHERE, approvalId: 'a1', callId: 'c1', decision, by: 'eve', tool: 'send_mail' },
    })
  })
})

describe('nothing is told', () => {
  test('of what nobody wants to hear of', () => {
    expect(told(user(), round(), new Set())).toBeUndefined()
    expect(told(user(), round(), new Set(['approval.requested']))).toBeUndefined()
  })

  test('of a call that went well, or that was refused, denied or cancelled', () => {
    const heard = OUTCOMES.filter((outcome) => told(result({ outcome })) !== undefined)
    expect(heard).toEqual(['error', 'timeout', 'unknown'])
  })

  test('of what a model says between its calls, and of what nobody said', () => {
    expect(told(said({ final: false }))).toBeUndefined()
    expect(told(said({ redacted: true }))).toBeUndefined()
    expect(told(user({ own: true }))).toBeUndefined()
  })

  test('of any other event', () => {
    expect(told(event('context.cleared', { by: 'ada' }, null))).toBeUndefined()
  })
})
