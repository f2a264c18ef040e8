import { expect, test } from 'vitest'
import { readExposition } from './read-exposition.ts'

test('reads names, labels and numbers', () => {
  expect(
    readExposition('a_total 3\na_total{model="m-1",reason="error"} 0.5\nb{le="+Inf"} 1e3 1700000000000\n'),
  ).toEqual([
    { name: 'a_total', labels: {}, value: 3 },
    { name: 'a_total', labels: { model: 'm-1', reason: 'error' }, value: 0.5 },
    { name: 'b', labels: { le: '+Inf' }, value: 1000 },
  ])
})

test('leaves out comments, empty lines and what is no series', () => {
  expect(readExposition('# HELP a b 1\n\n<html>\na 1\nb{c="d"}2\ne +Inf\n')).toEqual([
    { name: 'a', labels: {}, value: 1 },
    { name: 'e', labels: {}, value: Infinity },
  ])
})
