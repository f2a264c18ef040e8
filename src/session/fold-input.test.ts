import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft } from '../contract/event.ts'
import type { Input, InputBody, MessageInput, QueuedMessage } from '../contract/input.ts'
import { DEFAULT_ROUND_LIMITS } from '../../tests/support/limits.ts'
import {
  asked,
  decided,
  givenLog,
  paused,
  requested,
  result,
  roundEnded,
  roundStarted,
  turnWithCalls,
  userSays,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { foldInput, interruption, startOfRound, type Folded } from './fold-input.ts'
import { fold } from './session-state.ts'

const hello = [roundStarted(), userSays('hello')]
const atRest: EventDraft[] = [...hello, roundEnded()]
const calls = [...hello, ...turnWithCalls(1, 'a')]
const message: MessageInput = {
  kind: 'message',
  requestId: 'r2',
  content: 'next',
  actor: { id: 'owner', tenant: 'local' },
  permissions: ['*'],
  protocol: 'triggered',
  mode: 'plan',
  model: 'm',
  limits: DEFAULT_ROUND_LIMITS,
  toolResultsAs: 'tool',
  attended: false,
  interrupt: false,
}

const inputOf = (body: InputBody, at = 0): Input => ({ id: 'i', sessionId: 's', key: 'k', at, body })
const folding = (given: readonly EventDraft[], body: InputBody, queued: readonly string[] = [], at = 0): Folded =>
  foldInput(
    fold(givenLog(...given)),
    inputOf(body, at),
    new Map(queued.map((requestId) => [requestId, waiting(requestId)])),
  )
const waiting = (requestId: string): QueuedMessage => ({
  ...inputOf(message, 7),
  body: { ...message, requestId },
})
const nothing: Folded = { events: [] }

describe('cancel and pause', () => {
  test.each(['cancel', 'pause'] as const)('%s the round they name', (kind) => {
    const body = { kind, requestId: 'r1', by: 'owner' }
    expect(folding(hello, body)).toEqual({ events: [asked(kind)] })
  })

  test('a pause waits for a round that has yet to start', () => {
    const body = { kind: 'pause', requestId: 'r2', by: 'owner' } as const
    expect(folding(hello, body, ['r2'])).toBe('keep')
    expect(folding(atRest, body, ['r2'])).toBe('keep')
  })

  test.each([
    ['behind an open round', hello],
    ['at rest', atRest],
  ])('a cancel takes away a message that waits %s, and its end is the only event of its round', (_, log) => {
    const { protocol, mode, model } = message
    const data = {
      finishReason: 'cancelled',
      usage: { input: 0, output: 0 },
      cost: 0,
      unstarted: { protocol, mode, model, queuedAt: 7 },
    }
    expect(folding(log, { kind: 'cancel', requestId: 'r2', by: 'owner' }, ['r2'])).toEqual({
      events: [{ type: 'round.ended', requestId: 'r2', data }],
      removed: waiting('r2'),
    })
  })

  test.each(['cancel', 'pause'] as const)('%s of a round that is over does nothing', (kind) => {
    expect(folding(atRest, { kind, requestId: 'r1', by: 'owner' })).toEqual(nothing)
    expect(folding(hello, { kind, requestId: 'r0', by: 'owner' })).toEqual(nothing)
  })
})

describe('resume', () => {
  const body = { kind: 'resume', requestId: 'r1', by: 'owner' } as const
  test('lets a paused round go on', () => {
    const rests = [...calls, asked('pause'), result('a'), paused()]
    expect(folding(rests, body)).toEqual({
      events: [{ type: 'round.resumed', data: { n: 0, turn: 2, reason: 'resume' } }],
    })
  })

  test('does nothing for a round that is not paused, or another one', () => {
    expect(folding(hello, body)).toEqual(nothing)
    expect(folding(atRest, body)).toEqual(nothing)
    expect(folding([...calls, asked('pause'), result('a'), paused()], { ...body, requestId: 'r2' })).toEqual(nothing)
  })
})

describe('a decision', () => {
  const body = { kind: 'decision', approvalId: 'approval-a', decision: 'approve', by: 'owner' } as const
  test('is about the call that waits for it', () => {
    expect(folding([...calls, requested('a')], body)).toEqual({ events: [decided('a', 'approve')] })
    const more = { ...body, decision: 'deny', reason: 'no', remember: 'session' } as const
    expect(folding([...calls, requested('a')], more)).toEqual({
      events: [decided('a', 'deny', { reason: 'no', remember: 'session' })],
    })
  })

  test('comes too late when somebody else decided, the call is over, or the round is', () => {
    expect(folding([...calls, requested('a'), decided('a', 'deny')], body)).toEqual(nothing)
    expect(folding([...calls, requested('a'), result('a', 'cancelled')], body)).toEqual(nothing)
    expect(folding(atRest, body)).toEqual(nothing)
  })

  test('comes too late when its time is over, by the time it was stored', () => {
    expect(folding([...calls, requested('a')], body, [], 4999)).not.toEqual(nothing)
    expect(folding([...calls, requested('a')], body, [], 5000)).toEqual(nothing)
  })

  test('about another approval is not one about this', () => {
    expect(folding([...calls, requested('a')], { ...body, approvalId: 'approval-b' })).toEqual(nothing)
  })
})

describe('settling what is unknown', () => {
  const unknown = (callId: string): EventDraft =>
    result(callId, 'unknown', { effect: 'unknown', signature: 'the same' })
  const body = { kind: 'reconcile', callId: 'a', happened: true, by: 'owner', note: 'I looked' } as const

  verifies('REL-2', 'names the call and its signature, during a round and after it', () => {
    const event = { callId: 'a', signature: 'the same', happened: true, by: 'owner', note: 'I looked' }
    for (const given of [
      [...calls, unknown('a')],
      [...calls, unknown('a'), roundEnded()],
    ]) {
      expect(folding(given, body)).toEqual({ events: [{ type: 'tool.reconciled', data: event }] })
    }
  })

  verifies('REL-2', 'happens once, and only for what is unknown', () => {
    const settled = { type: 'tool.reconciled', data: { callId: 'a', signature: 'the same', happened: true, by: 'x' } }
    expect(folding([...calls, unknown('a'), settled as EventDraft], body)).toEqual(nothing)
    expect(folding([...calls, result('a')], body)).toEqual(nothing)
  })

  verifies('REL-2', 'leaves an identical call that is unknown too as it is', () => {
    const both = [...hello, ...turnWithCalls(1, 'a', 'b'), unknown('a'), unknown('b')]
    expect(folding(both, body)).not.toEqual(nothing)
    expect(folding(both, { ...body, callId: 'b' })).not.toEqual(nothing)
    const settled = { type: 'tool.reconciled', data: { callId: 'b', signature: 'the same', happened: true, by: 'x' } }
    const state = fold(givenLog(...both, settled as EventDraft))
    expect([...state.unknown.values()]).toContain('the same')
  })
})

describe('what concerns the session', () => {
  test('is folded in at once when it disturbs no round', () => {
    expect(folding(hello, { kind: 'change', title: 'new', model: null })).toEqual({
      events: [{ type: 'session.changed', data: { title: 'new', model: null } }],
    })
    expect(folding(hello, { kind: 'archive', by: 'owner' })).toEqual({
      events: [{ type: 'session.archived', data: { by: 'owner' } }],
    })
  })

  test.each<[InputBody, string]>([
    [{ kind: 'clear', by: 'owner' }, 'context.cleared'],
    [{ kind: 'delete', by: 'owner' }, 'session.deleted'],
    [{ kind: 'delete-message', eventId: 'e2', by: 'owner' }, 'message.deleted'],
  ])('waits for the end of a round when it would change what the model sees: $kind', (body, type) => {
    expect(folding(hello, body)).toBe('keep')
    const folded = folding(atRest, body)
    expect(folded === 'keep' ? [] : folded.events.map((event) => event.type)).toEqual([type])
  })

  test('settles what was set aside for a question of Segno when the session is deleted', () => {
    const reserved = { tokens: 7, cost: 3 }
    const asked = draftEvent('model.asked', { askId: 'a', purpose: 'title', model: 'm', because: 'x', reserved })
    const folded = folding([...atRest, asked], { kind: 'delete', by: 'owner' })
    expect(folded).toMatchObject({
      events: [
        { type: 'model.answered', data: { askId: 'a', purpose: 'title', usage: { input: 7 }, cost: 3 } },
        { type: 'session.deleted' },
      ],
    })
  })
})

describe('a message', () => {
  test('waits until its round can start', () => {
    expect(folding(hello, message)).toBe('keep')
    expect(folding(atRest, message)).toBe('keep')
  })

  test('starts its round with everything the round needs and nothing else', () => {
    const { kind: _, content: __, interrupt: ___, ...needed } = message
    expect(startOfRound(message, { promptId: null })).toEqual([
      { type: 'round.started', data: needed },
      { type: 'message.user', data: { content: [{ type: 'text', text: 'next' }] } },
    ])
  })

  test('only plans where a draft of a prompt is tried, whatever its sender wants', () => {
    const [start] = startOfRound({ ...message, mode: 'act' }, { promptId: 'draft' })
    expect(start).toMatchObject({ type: 'round.started', data: { mode: 'plan' } })
  })

  test('ends what is running when it does not wait its turn, and so does deleting the session', () => {
    const running = fold(givenLog(...hello))
    const urgent = inputOf({ ...message, interrupt: true })
    expect(interruption(running, [inputOf(message)])).toEqual([])
    expect(interruption(running, [inputOf(message), urgent])).toEqual([asked('interrupt')])
    expect(interruption(running, [inputOf({ kind: 'delete', by: 'owner' })])).toEqual([asked('cancel')])
    expect(interruption(fold(givenLog(...atRest)), [urgent])).toEqual([])
    expect(interruption(fold(givenLog(...hello, asked('cancel'))), [urgent])).toEqual([])
  })
})

describe('a message that continues a round', () => {
  const body: MessageInput = { ...message, continues: 'r1' }
  const limited = [...hello, roundEnded('tool_limit')]
  const cancelled = {
    events: [{ type: 'round.ended', requestId: 'r2', data: { finishReason: 'cancelled', unstarted: { model: 'm' } } }],
  }

  verifies('GOV-7', "waits to become a round, whose message is marked as nobody's words", () => {
    expect(folding(limited, body)).toBe('keep')
    expect(startOfRound(body, { promptId: null })).toMatchObject([
      { type: 'round.started', data: { continues: 'r1' } },
      { type: 'message.user', data: { own: true } },
    ])
  })

  verifies('GOV-7', 'becomes none once another round has come between', () => {
    expect(folding([...limited, roundStarted({ id: 'r3' })], body)).toMatchObject(cancelled)
    expect(folding([...limited, roundStarted({ id: 'r3' }), roundEnded()], body)).toMatchObject(cancelled)
  })
})
