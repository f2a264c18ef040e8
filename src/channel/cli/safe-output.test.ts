import { expect, test } from 'vitest'
import { safeJson, safeOutput } from './safe-output.ts'

const EVIL = 'a\x1b[2J\x9b5n\x7f\u202eb\u2066\r\u200f'

test('nothing that is printed commands the terminal or turns the direction', () => {
  expect(safeOutput(`${EVIL}\n\tc é 🙂`)).toBe(
    'a\\u{1b}[2J\\u{9b}5n\\u{7f}\\u{202e}b\\u{2066}\\u{d}\\u{200f}\n\tc é 🙂',
  )
})

test('JSON stays what it is to a program', () => {
  const printed = safeJson(JSON.stringify({ text: EVIL }, null, 2))
  expect(printed).not.toMatch(/[\x7f-\x9f\u200f\u202e\u2066]/)
  expect(JSON.parse(printed)).toEqual({ text: EVIL })
})
