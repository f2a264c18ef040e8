import { expect, test } from 'vitest'
import { parseCursor } from './cursor.ts'

test.each([
  ['12', { seq: 12 }],
  ['0', { seq: 0 }],
  ['12.340', { seq: 12, offset: 340 }],
  ['12.0', { seq: 12, offset: 0 }],
  [String(Number.MAX_SAFE_INTEGER), { seq: Number.MAX_SAFE_INTEGER }],
])('%j says what a reader has', (text, cursor) => {
  expect(parseCursor(text)).toEqual(cursor)
})

test.each(['', ' 12', '12 ', '-1', '+1', '1e3', '0x1', '12.', '.5', '1.2.3', '12.-1', 'abc', '١٢', '9007199254740992'])(
  '%j is no cursor',
  (text) => {
    expect(parseCursor(text)).toBeUndefined()
  },
)

test('an offset that is not exact any more is no cursor', () => {
  expect(parseCursor('1.9007199254740993')).toBeUndefined()
})
