import { expect, test } from 'vitest'
import { takenOut } from './taken-out.ts'

test('says which letters were taken out, in their order', () => {
  expect(takenOut('be\u202e brief\u200b', 'be brief')).toBe('\u202e\u200b')
  expect(takenOut('say <<<end>>> now', 'say end now')).toBe('<<<>>>')
})

test('spaces at the ends, other spaces, line ends and composed letters are nothing to tell', () => {
  expect(takenOut('  one\r\ntwo\u00a0three cafe\u0301 ', 'one\ntwo three caf\u00e9')).toBe('')
})

test('a text of which nothing is left was taken out whole', () => {
  expect(takenOut('\u200b\u200c', '')).toBe('\u200b\u200c')
})
