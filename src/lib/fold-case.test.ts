import { expect, test } from 'vitest'
import { foldCase } from './fold-case.ts'

test.each([
  ['plain letters', 'Segno', 'sEGNO'],
  ['letters with marks', 'ÜBER Éclair', 'über éclair'],
  ['letters put together in another way', 'Caf\u00e9', 'CAFE\u0301'],
  ['a sharp s', 'STRASSE', 'straße'],
  ['a capital sharp s', 'ẞ', 'ß'],
  ['both small sigmas', 'ΟΔΟΣ', 'οδοσ'],
  ['Cyrillic', 'ПРИВЕТ', 'привет'],
  ['full-width letters', 'ＡＢＣ', 'abc'],
])('%s are the same whatever their case', (_, one, other) => {
  expect(foldCase(one)).toBe(foldCase(other))
})

test('what is another text stays another', () => {
  expect(foldCase('e')).not.toBe(foldCase('é'))
  expect(foldCase('%')).not.toBe(foldCase('_'))
})
