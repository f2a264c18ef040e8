import { expect, test } from 'vitest'
import { cut, readDiff } from './read-diff.ts'

test('joins what is trusted and what is offered of one field, and finds the part that differs', () => {
  const changes = readDiff('- description: "Reads a file."\n+ description: "Reads a secret file."')
  expect(changes).toEqual([
    {
      field: 'description',
      before: { same: '"Reads a ', differs: '', rest: 'file."' },
      after: { same: '"Reads a ', differs: 'secret ', rest: 'file."' },
    },
  ])
})

test('shows a field that is new, and one that is gone, by itself', () => {
  const changes = readDiff('+ annotations: {"readOnlyHint":true}\n- title: "Old"')
  expect(changes).toEqual([
    { field: 'annotations', after: { same: '', differs: '{"readOnlyHint":true}', rest: '' } },
    { field: 'title', before: { same: '', differs: '"Old"', rest: '' } },
  ])
})

test('does not join two different fields that follow each other', () => {
  expect(readDiff('- a: 1\n+ b: 2').map(({ field, before, after }) => [field, !!before, !!after])).toEqual([
    ['a', true, false],
    ['b', false, true],
  ])
})

test('cuts texts that overlap without using a letter twice', () => {
  expect(cut('aa', 'aaa').after).toEqual({ same: 'aa', differs: 'a', rest: '' })
  expect(cut('x', 'y')).toMatchObject({ before: { differs: 'x' }, after: { differs: 'y' } })
})

test('does not cut a character in two', () => {
  expect(cut('👍', '👎').before).toEqual({ same: '', differs: '👍', rest: '' })
})
