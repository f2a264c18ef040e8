import { expect, test } from 'vitest'
import { givenLog, roundEnded, roundStarted } from '../../tests/support/given-log.ts'
import { draftEvent, type StoredEvent } from '../contract/event.ts'
import { NO_USAGE } from '../contract/message.ts'
import { logEvents } from './log-events.ts'
import { createLog, type LogLevel } from './log.ts'

function linesOf(level: LogLevel, events: readonly StoredEvent[]): Record<string, unknown>[] {
  const lines: string[] = []
  logEvents(createLog({ level, write: (line) => lines.push(line) }))('s', events)
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

const failing = givenLog(
  roundStarted(),
  draftEvent('turn.retried', {
    turn: 1,
    attempt: 1,
    reason: 'the provider answered 503',
    model: 'm',
    waitMs: 1,
    shown: false,
  }),
  draftEvent('turn.ended', { turn: 1, stopReason: 'timeout', usage: NO_USAGE, durationMs: 7 }),
  draftEvent('tool.result', {
    callId: 'c',
    name: 'mail',
    signature: '',
    outcome: 'unknown',
    effect: 'unknown',
    content: 'text',
    durationMs: 0,
    cost: 0,
  }),
  roundEnded('error'),
)

test('warns of what went wrong in a round, with ids and words', () => {
  const ids = { level: 'warn', sessionId: 's', requestId: 'r1' }
  expect(linesOf('warn', failing)).toMatchObject([
    { ...ids, event: 'turn_retried', reason: 'provider_5xx', attempt: 1 },
    { ...ids, event: 'turn_failed', reason: 'timeout', durationMs: 7 },
    { ...ids, event: 'effect_unknown', callId: 'c', outcome: 'unknown' },
    { ...ids, event: 'round_ended', finishReason: 'error' },
  ])
})

test('has nothing to warn of when a round goes well, and tells of it to whoever asks for more', () => {
  const well = givenLog(roundStarted(), roundEnded())
  expect(linesOf('warn', well)).toEqual([])
  expect(linesOf('info', well)).toMatchObject([{ event: 'round_ended', finishReason: 'complete' }])
  expect(linesOf('debug', well)).toMatchObject([{ event: 'round_started', actorId: 'owner' }, { event: 'round_ended' }])
})

test('says nothing of a round that a fork closes', () => {
  const actor = { id: 'ada', tenant: 'local' }
  const parent = { sessionId: 'p', seq: 3 }
  const forked = draftEvent('session.forked', { actor, workspaceId: 'w', title: '', parent })
  const closing = givenLog(forked, roundEnded('cancelled')).map((event) => ({ ...event, requestId: 'r1' }))
  expect(linesOf('debug', closing)).toEqual([])
})
