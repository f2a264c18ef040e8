import { expect, test } from 'vitest'
import { failureOf, isSummarising } from './own-asks.ts'
import { answeredRound, someLog } from './some-log.suite.ts'

const NOTHING = { askId: 'a', usage: { input: 0, output: 0 }, durationMs: 1 }

test('a summary is in the making from the question to its answer', () => {
  const event = someLog()
  const events = [
    ...answeredRound(event, 'r'),
    event('model.asked', null, { askId: 'a', purpose: 'summary', model: 'm', because: 'asked' }),
    event('session.changed', null, { title: 'Another' }),
    event('model.answered', null, { askId: 'a', purpose: 'summary' }),
    event('compact.summary', null, { text: 'So far.', upTo: 12 }),
  ]
  expect(events.map((_, at) => isSummarising(events.slice(0, at + 1))).slice(-5)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ])
})

test('a summary whose owner died is no longer in the making once something else happens', () => {
  const event = someLog()
  const asked = event('model.asked', null, { askId: 'a', purpose: 'summary', model: 'm', because: 'asked' })
  expect(isSummarising([asked, event('round.started', 'r', {})])).toBe(false)
})

test('a title that is being found says nothing', () => {
  const event = someLog()
  expect(isSummarising([event('model.asked', null, { askId: 'a', purpose: 'title', model: 'm', because: '' })])).toBe(
    false,
  )
  expect(failureOf({ ...NOTHING, purpose: 'title', failed: 'No.' })).toBeUndefined()
})

test('a summary that failed says why', () => {
  expect(failureOf({ ...NOTHING, purpose: 'summary' })).toBeUndefined()
  expect(failureOf({ ...NOTHING, purpose: 'summary', failed: 'The provider is away.' })).toBe(
    'Earlier messages could not be summarised for the assistant. The provider is away.',
  )
})
