import { describe, expect, test } from 'vitest'
import { draftEvent, type EventDraft, type StoredEvent } from '../contract/event.ts'
import { WORKSPACE_INSTRUCTIONS } from '../contract/sent-prompt.ts'
import {
  called,
  decided,
  givenLog,
  modelSays,
  requested,
  result,
  roundEnded,
  roundStarted,
  started,
  turnStarted,
  turnWithCalls,
  use,
  userSays,
} from '../../tests/support/given-log.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { openCalls } from './call-state.ts'
import { modelCalls } from './round-state.ts'
import { exactKey, fold, rememberKey } from './session-state.ts'

const state = (...drafts: EventDraft[]) => fold(givenLog(...drafts))
const hello = [roundStarted(), userSays('hello')]

describe('a session', () => {
  test('is what it was created as, and what was changed since', () => {
    const actor = { id: 'owner', tenant: 'local' }
    const created = draftEvent('session.created', { actor, workspaceId: 'w', title: 'one', model: 'm' })
    expect(state(created)).toMatchObject({ actor, workspaceId: 'w', title: 'one', model: 'm', protocol: null, seq: 1 })
    const changed = draftEvent('session.changed', { title: 'two', model: null, protocol: 'triggered' })
    expect(state(created, changed)).toMatchObject({ title: 'two', model: null, protocol: 'triggered', archived: false })
    const archived = draftEvent('session.archived', { by: 'owner' })
    expect(state(created, archived).archived).toBe(true)
    expect(state(created, archived, draftEvent('session.changed', { archived: false })).archived).toBe(false)
    expect(state(created, draftEvent('session.deleted', { by: 'owner' })).deleted).toBe(true)
  })

  test('as a fork is its own, whatever the parent was called', () => {
    const actor = { id: 'owner', tenant: 'local' }
    const parent = { sessionId: 'p', seq: 1 }
    const created = draftEvent('session.created', { actor, workspaceId: 'w', title: 'one', model: 'm' })
    const forked = draftEvent('session.forked', { actor, workspaceId: 'w', title: 'one (fork)', parent })
    expect(state(created, forked)).toMatchObject({ title: 'one (fork)', model: null })
  })

  test('has one open round until it ends', () => {
    expect(state(...hello).round?.requestId).toBe('r1')
    expect(state(...hello, roundEnded()).round).toBeNull()
    expect(state(...hello, roundEnded(), roundStarted({ id: 'r2' })).round?.requestId).toBe('r2')
  })

  test('does not let facts about the session move its round', () => {
    const events = givenLog(...hello, turnStarted(1), draftEvent('session.changed', { title: 'x' }))
    const late = events.map((event, at) => (at === 3 ? { ...event, requestId: null, at: 99_999 } : event))
    expect(fold(late).round?.runningMs).toBe(20)
  })

  test('is driven as long as its events say, and as long as their times say where they do not', () => {
    const [start, user, turn] = givenLog(...hello, turnStarted(1)) as [StoredEvent, StoredEvent, StoredEvent]
    const jumped = { ...turn, at: turn.at + 3_600_000 }
    expect(fold([start, user, { ...jumped, ms: 7 }]).round?.runningMs).toBe(17)
    expect(fold([start, user, jumped]).round?.runningMs).toBe(3_600_020)
    expect(fold([start, { ...user, ms: 0 }, { ...jumped, ms: 0 }]).round?.runningMs).toBe(0)
  })
})

describe('an approval for the session', () => {
  const key = rememberKey('look', 'definition', 'target')
  const asking = (rememberable: boolean): EventDraft[] => [
    ...hello,
    ...turnWithCalls(1, 'a'),
    requested('a', { rememberable }),
  ]

  verifies('ORC-8', 'holds for exactly that target of exactly that definition', () => {
    expect([...state(...asking(true), decided('a', 'approve', { remember: 'session' })).remembered]).toEqual([
      key,
      exactKey('look', 'definition', 'args'),
    ])
    expect(rememberKey('look', 'definition', 'target/other')).not.toBe(key)
    expect(rememberKey('look', 'changed', 'target')).not.toBe(key)
  })

  verifies('ORC-8', 'is not remembered unasked, when denied, or where a person must always look', () => {
    for (const given of [
      [...asking(true), decided('a', 'approve')],
      [...asking(true), decided('a', 'deny', { remember: 'session' })],
      [...asking(false), decided('a', 'approve', { remember: 'session' })],
    ]) {
      expect(state(...given).remembered.size).toBe(0)
    }
  })
})

describe('a round', () => {
  test('knows each call from its use to its result', () => {
    const steps: EventDraft[] = [
      modelSays(1, [use('a')]),
      called('a'),
      requested('a'),
      decided('a', 'approve'),
      started('a', 'keyed'),
      result('a'),
    ]
    const states = steps.map(
      (_, at) => state(...hello, turnStarted(1), ...steps.slice(0, at + 1)).round?.calls[0]?.state,
    )
    expect(states).toEqual(['used', 'called', 'waiting', 'approved', 'started', 'done'])
  })

  test('owes a result to every call in the order asked', () => {
    const { round } = state(...hello, ...turnWithCalls(1, 'a', 'b', 'c'), result('b'))
    expect(round && openCalls(round).map((call) => call.callId)).toEqual(['a', 'c'])
  })

  test('keeps the key of a started call, made from its own event', () => {
    const call = state(...hello, ...turnWithCalls(1, 'a'), started('a', 'keyed')).round?.calls[0]
    expect(call).toMatchObject({ idempotencyKey: 'key-a', effect: 'keyed', eventId: 'e6' })
  })

  test('remembers what was executed, refused or denied, and not what was cancelled', () => {
    const outcomes = ['ok', 'refused', 'denied', 'cancelled'] as const
    const ids = outcomes.map((outcome) => `c-${outcome}`)
    const { round } = state(
      ...hello,
      ...turnWithCalls(1, ...ids),
      ...outcomes.map((outcome) => result(`c-${outcome}`, outcome)),
    )
    expect([...(round?.signatures ?? [])]).toEqual(['sig-c-ok', 'sig-c-refused', 'sig-c-denied'])
    expect(round?.fruitless).toBe(2)
  })

  test('counts every model call, retries included', () => {
    const retried = draftEvent('turn.retried', {
      turn: 1,
      attempt: 1,
      reason: 'overloaded',
      model: 'm',
      waitMs: 1,
      shown: false,
    })
    const { round } = state(...hello, turnStarted(1), retried, retried)
    expect(round && modelCalls(round)).toBe(3)
  })
})

describe('what is unknown', () => {
  const unknown = result('a', 'timeout', { effect: 'unknown', signature: 's' })
  verifies('REL-2', 'stays so beyond its round until somebody settles it', () => {
    const given = [...hello, ...turnWithCalls(1, 'a'), started('a'), unknown, roundEnded('cancelled')]
    expect([...state(...given).unknown]).toEqual([['a', 's']])
    const settled = draftEvent('tool.reconciled', { callId: 'a', signature: 's', happened: false, by: 'owner' })
    expect(state(...given, settled).unknown.size).toBe(0)
  })
})

describe('text from outside', () => {
  const came = (...drafts: EventDraft[]) => state(...hello, ...turnWithCalls(1, 'a', 'b'), ...drafts).taintedBy

  test('is what a tool brought, whatever came of the call', () => {
    for (const outcome of ['ok', 'error', 'timeout', 'cancelled'] as const)
      expect(came(result('a', outcome)), outcome).toBe('look')
  })

  test('is not what a tool worked out itself, or what Segno says of a call that did not run', () => {
    expect(came()).toBeNull()
    for (const outcome of ['ok', 'error', 'timeout'] as const)
      expect(came(result('a', outcome, { own: true }))).toBeNull()
    for (const outcome of ['refused', 'denied', 'unknown'] as const) expect(came(result('a', outcome))).toBeNull()
  })

  test('is named after the first that brought some', () => {
    expect(came(result('a', 'ok', { name: 'first' }), result('b', 'ok', { name: 'second' }))).toBe('first')
  })

  test('is a file of a message, not its words', () => {
    const file = { type: 'file', mediaType: 'text/plain', hash: 'h', bytes: 1 } as const
    const sent = draftEvent('message.user', { content: [{ type: 'text', text: 'look' }, file] })
    expect(state(roundStarted(), sent).taintedBy).toBe('a file')
    expect(state(roundStarted(), userSays('please obey')).taintedBy).toBeNull()
  })

  test('is what strangers wrote into a tool or a workspace, from the turn that reads it on', () => {
    const turn = (foreign?: string) =>
      draftEvent('turn.started', { turn: 1, model: 'm', last: false, layerHashes: [], ...(foreign && { foreign }) })
    expect(state(roundStarted(), turn()).taintedBy).toBeNull()
    expect(state(roundStarted(), turn('files__read')).taintedBy).toBe('the description of files__read')
    expect(state(roundStarted(), turn(WORKSPACE_INSTRUCTIONS)).taintedBy).toBe('the instructions of the workspace')
  })

  test('is the message of a hook that has some', () => {
    const by = (hasPayload: boolean) =>
      state(roundStarted({ origin: { kind: 'hook', id: 'h', depth: 1, hasPayload } }), userSays('please obey'))
        .taintedBy
    expect([by(true), by(false)]).toEqual(['a hook', null])
  })

  test('stays after its round and in a fork, and ends when the conversation is cleared', () => {
    const cleared = draftEvent('context.cleared', { by: 'owner' })
    const forked = draftEvent('session.forked', {
      actor: { id: 'owner', tenant: 'local' },
      workspaceId: 'w',
      title: 't',
      parent: { sessionId: 'p', seq: 1 },
    })
    expect(came(result('a'), result('b'), roundEnded())).toBe('look')
    expect(came(result('a'), result('b'), roundEnded(), forked)).toBe('look')
    expect(came(result('a'), result('b'), roundEnded(), cleared)).toBeNull()
  })
})

verifies(
  'ORC-6',
  'where the shown history begins is kept for each model, also of a fallback, until it is cleared',
  () => {
    const turn = (model: string, from?: number): EventDraft =>
      draftEvent('turn.started', { turn: 1, model, last: false, layerHashes: [], ...(from !== undefined && { from }) })
    const retried = { turn: 1, attempt: 1, reason: 'overloaded', waitMs: 0, shown: false }
    const log = [
      roundStarted(),
      turn('large', 2),
      draftEvent('turn.retried', { ...retried, model: 'small', from: 9 }),
      turn('large', 5),
      draftEvent('turn.retried', { ...retried, model: 'large' }),
      turn('old'),
    ]
    expect([...state(...log).shownFrom]).toEqual([
      ['large', 5],
      ['small', 9],
    ])
    expect(state(...log, draftEvent('context.cleared', { by: 'owner' })).shownFrom.size).toBe(0)
  },
)

describe('a round that a count limit ended', () => {
  const limited = [...hello, ...turnWithCalls(1, 'a'), started('a'), result('a'), roundEnded('tool_limit')]
  const next = (continues?: string): EventDraft => roundStarted({ id: 'r2', ...(continues && { continues }) })

  verifies('GOV-7', 'leaves its signatures to the round that continues it, and to no other', () => {
    expect(state(...limited).limited).toEqual({ requestId: 'r1', signatures: ['sig-a'] })
    expect([...(state(...limited, next('r1')).round?.signatures ?? [])]).toEqual(['sig-a'])
    expect(state(...limited, next()).round?.signatures.size).toBe(0)
    expect(state(...limited, next('r0')).round?.signatures.size).toBe(0)
  })

  verifies('GOV-7', 'counts anew in the round that continues it', () => {
    expect(state(...limited, next('r1')).round).toMatchObject({ turn: 0, executions: 0, fruitless: 0, calls: [] })
  })

  verifies('GOV-7', 'leaves what it inherited, too', () => {
    const again = [...turnWithCalls(1, 'b'), result('b', 'denied'), roundEnded('iteration_limit')]
    const { limited: left } = state(...limited, next('r1'), ...again)
    expect(left).toEqual({ requestId: 'r2', signatures: ['sig-a', 'sig-b'] })
  })

  const parent = { sessionId: 'p', seq: 1 }
  const fork = { actor: { id: 'owner', tenant: 'local' }, workspaceId: 'w', title: 'fork', parent }
  test.each([
    ['another round', roundStarted({ id: 'r2' })],
    ['a clear', draftEvent('context.cleared', { by: 'owner' })],
    ['a fork', draftEvent('session.forked', fork)],
  ])('leaves nothing after %s', (_, event) => {
    expect(state(...limited, event).limited).toBeNull()
  })

  test('leaves nothing if it ended otherwise', () => {
    expect(state(...hello, roundEnded('timeout')).limited).toBeNull()
  })
})
