import { expect, test } from 'vitest'
import { bodyOf, changesOf, faultWords, isAbout, plainText, plainValue, valueAt, withValue } from './data-field.ts'

test('a value is read and written where its path says, and nothing else changes', () => {
  const body = { name: 'a', target: { url: 'u' } }
  expect(valueAt(body, 'target.url')).toBe('u')
  expect(valueAt(body, 'quota.perHour')).toBeUndefined()
  expect(withValue(body, 'quota.perHour', 5)).toEqual({ ...body, quota: { perHour: 5 } })
  expect(withValue(body, 'target.url', 'v')).toEqual({ name: 'a', target: { url: 'v' } })
  expect(body.target.url).toBe('u')
})

test('what is sent is what the fields that are there say', () => {
  const fields = [
    { path: 'name', label: '' },
    { path: 'effect', label: '', otherwise: 'unsafe' },
    { path: 'does', label: '', otherwise: 'message', isLocal: true as const },
    { path: 'quota.perHour', label: '' },
  ]
  expect(bodyOf(fields, { name: 'a', id: 'x', target: { url: 'of another engine' } })).toEqual({
    name: 'a',
    effect: 'unsafe',
  })
})

test('a change has what is different, and null for what is gone if the server takes that', () => {
  const before = { name: 'a', cost: 7, quota: { perHour: 5 }, target: { url: 'u', api: { url: 'p' } } }
  const after = { name: 'b', quota: { perHour: 5 }, target: { url: 'u' } }
  expect(changesOf(before, after, true)).toEqual({ name: 'b', cost: null, target: { url: 'u', api: null } })
  expect(changesOf({ sessionId: 's' }, { workflowId: 'w' }, false)).toEqual({ workflowId: 'w' })
  expect(changesOf(before, before, true)).toEqual({})
})

test('a fault of the server finds its field, also if it names only a part of it', () => {
  const fault = (field: string) => ({ field, message: '' })
  expect(isAbout('events', fault('events.0'))).toBe(true)
  expect(isAbout('action.workflowId', fault('workflowId'))).toBe(true)
  expect(isAbout('name', fault('rename'))).toBe(false)
  expect(isAbout('', fault('name'))).toBe(false)
  expect(faultWords({ field: 'name', message: 'name is taken.' })).toBe('Is taken.')
})

test.each(['pro', '5', 5, true, null, '"5"', 'null', ''])(
  'the value %j of a filter is read as it is shown',
  (value) => {
    expect(plainValue(plainText(value))).toBe(value)
  },
)
