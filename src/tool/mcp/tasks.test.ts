import { expect, test } from 'vitest'
import { askAfter, taskFault } from './tasks.ts'

test.each([
  ['as often as the server wants', 5000, 0, 5000],
  ['never more often than once a second', 1, 0, 1000],
  ['once a second if the server does not say', undefined, 0, 1000],
  ['at least once a minute', 86_400_000, 0, 60_000],
  ['less often the longer it takes', 1000, 300_000, 30_000],
  ['at a whole millisecond, whatever the server wants', 1500.5, 0, 1501],
  ['at a whole millisecond, however long it took', 1000, 12_345, 1235],
  ['at least once a minute after days', 1000, 3 * 86_400_000, 60_000],
  ['as if nothing was said for what is no time', 'soon', 0, 1000],
  ['as if nothing was said for a time that is not over', -Infinity, 0, 1000],
  ['at least once a minute for a time without end', Infinity, 0, 60_000],
  ['as if nothing was said for NaN', Number.NaN, 0, 1000],
])('asks about a task %s', (_, pollMs, tookMs, expected) => {
  expect(askAfter(pollMs, tookMs)).toBe(expected)
})

test.each([
  ['required', { takesTasks: true, isModern: false }, undefined],
  ['required', { takesTasks: false, isModern: false }, 'and its server does not offer tasks'],
  ['required', { takesTasks: false, isModern: true }, 'which Segno cannot do in the protocol its server speaks'],
  ['optional', { takesTasks: false, isModern: false }, undefined],
  ['forbidden', { takesTasks: true, isModern: false }, undefined],
])('a tool for which tasks are %s has, with %j, the fault %s', (taskSupport, connection, why) => {
  const fault = why && `it can only be called as a task, ${why}`
  expect(taskFault({ execution: { taskSupport } }, connection)).toBe(fault)
})
