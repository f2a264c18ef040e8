import { expect, test } from 'vitest'
import { append, NO_LOG, prepend, type SessionLog } from './session-log.ts'
import { answeredRound, someLog } from './some-log.suite.ts'

const event = someLog()
const created = event('session.created', null, { title: 'A' })
const first = answeredRound(event, 'r1')
const cleared = event('context.cleared', null, { by: 'me' })
const second = answeredRound(event, 'r2')
const all = [created, ...first, cleared, ...second]

const keys = ({ items }: SessionLog): string[] => items.map(({ key }) => key)

test('a log stands in rounds and in the events between them, in their order', () => {
  expect(keys(append(NO_LOG, all))).toEqual(['event 1', 'round r1', 'event 14', 'round r2'])
})

test('an event that comes twice is there once', () => {
  const once = append(NO_LOG, all)
  expect(append(once, second)).toBe(once)
  expect(append(append(NO_LOG, all.slice(0, 10)), all.slice(5)).events).toEqual(all)
})

test('an event changes its own round and leaves every other item the same object', () => {
  const before = append(NO_LOG, all.slice(0, -1))
  const after = append(before, all.slice(-1))
  expect(after.items.map((item, at) => item === before.items[at])).toEqual([true, true, true, false])
})

test('a log that is read from its end backwards is the same as one read from its beginning', () => {
  let log = append(NO_LOG, all.slice(20))
  expect(log.first).toBe(21)
  log = prepend(log, all.slice(9, 20))
  log = prepend(log, all.slice(0, 9))
  expect(log).toEqual(append(NO_LOG, all))
})

test('what is said later about a call belongs to its round, also when the call is loaded after it', () => {
  const next = someLog(all.length + 1)
  const settled = next('tool.reconciled', null, { callId: 'r1-call', happened: true, by: 'me' })
  const late = append(NO_LOG, [...second, settled])
  expect(keys(late)).toEqual(['round r2', `event ${settled.seq}`])
  const whole = prepend(late, [created, ...first, cleared])
  expect(keys(whole)).toEqual(['event 1', 'round r1', 'event 14', 'round r2'])
  const [, item] = whole.items
  const call = item?.kind === 'round' ? item.round.steps.find(({ kind }) => kind === 'call') : undefined
  expect(call).toMatchObject({ reconciled: { happened: true, by: 'me' } })
})

test('a deleted message is known by its id, whichever part was loaded first', () => {
  const gone = someLog(all.length + 1)('message.deleted', null, { target: 'event-3', by: 'me' })
  const log = prepend(append(NO_LOG, [gone]), all)
  expect([...log.deleted]).toEqual(['event-3'])
})
