import { expect, test } from 'vitest'
import { datetime } from './datetime.ts'

const tell = (timezone?: string, at = '2026-02-28T23:30:05.250Z') =>
  datetime(() => Date.parse(at)).run(timezone === undefined ? {} : { timezone }, {} as never)

test.each([
  [undefined, '2026-02-28T23:30:05+00:00 (Saturday, UTC)'],
  ['Africa/Kigali', '2026-03-01T01:30:05+02:00 (Sunday, Africa/Kigali)'],
  ['Asia/Kathmandu', '2026-03-01T05:15:05+05:45 (Sunday, Asia/Kathmandu)'],
  ['America/New_York', '2026-02-28T18:30:05-05:00 (Saturday, America/New_York)'],
])('tells the time in %s', (timezone, text) => {
  expect(tell(timezone)).toBe(text)
})

test('knows summer time and midnight', () => {
  expect(tell('Europe/Paris', '2026-07-01T22:00:00Z')).toBe('2026-07-02T00:00:00+02:00 (Thursday, Europe/Paris)')
})

test.each(['Mars/Olympus', '', '../etc'])('refuses the time zone %j', (timezone) => {
  expect(() => tell(timezone)).toThrow(`timezone: expected an IANA name such as Europe/Paris`)
})
