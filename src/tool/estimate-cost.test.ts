import { describe, expect, test } from 'vitest'
import { isCost, isQuota } from '../lib/check-cost.ts'
import type { JsonObject } from '../contract/message.ts'
import type { CostRule, UnitCost } from '../contract/tool.ts'
import { verifies } from '../../tests/support/verifies.ts'
import { estimateCost } from './estimate-cost.ts'

const by = (unit: UnitCost['unit'], more: Partial<UnitCost> = {}): UnitCost => ({
  each: 2,
  unit,
  field: 'what',
  ...more,
})

verifies('GOV-9', 'a fixed cost is exact, and none is nothing', () => {
  expect(estimateCost(500, {})).toEqual({ cost: 500, tokens: 0, confidence: 'exact' })
  expect(estimateCost(0, {})).toEqual({ cost: 0, tokens: 0, confidence: 'exact' })
})

describe('a cost by unit', () => {
  const counted: [UnitCost['unit'], JsonObject['x'], number, string][] = [
    ['character', 'abcde', 10, 'exact'],
    ['character', '', 0, 'exact'],
    ['record', ['a', 'b', 'c'], 6, 'exact'],
    ['record', 7, 14, 'exact'],
    ['second', 1.5, 3, 'exact'],
    ['token', 'abcd', 8, 'estimate'],
    ['token', 'äö', 8, 'estimate'],
  ]
  for (const [unit, what, cost, confidence] of counted)
    verifies('GOV-9', `of each ${unit} of ${JSON.stringify(what)} is ${cost}, and that is ${confidence}`, () => {
      expect(estimateCost(by(unit), { what })).toMatchObject({ cost, confidence })
    })

  test('has a part for each call and room for more units', () => {
    expect(estimateCost(by('record', { fixed: 100 }), { what: 3 })).toMatchObject({ cost: 106, confidence: 'exact' })
    expect(estimateCost(by('token', { more: 1000 }), { what: 'ab' })).toEqual({
      cost: 2004,
      tokens: 1002,
      confidence: 'estimate',
    })
    expect(estimateCost(by('record', { more: 5 }), { what: 1 })).toMatchObject({ cost: 12, confidence: 'estimate' })
  })

  test('is rounded up to whole micro-dollars', () => {
    expect(estimateCost(by('character', { each: 0.001 }), { what: 'a' })).toMatchObject({ cost: 1 })
    expect(estimateCost(by('character', { each: 0.5 }), { what: 'abc' })).toMatchObject({ cost: 2 })
  })

  test('sets enough aside for whatever a model counts: no text has more tokens than bytes', () => {
    expect(estimateCost(by('token', { each: 1 }), { what: '\u{1f600}' })).toMatchObject({ tokens: 4 })
  })

  verifies('GOV-9', 'is unknown where the field is not given', () => {
    expect(estimateCost(by('record'), {})).toMatchObject({ confidence: 'unknown' })
    expect(estimateCost(by('record', { field: 'constructor' }), {})).toMatchObject({ confidence: 'unknown' })
  })

  const cannot: [UnitCost['unit'], JsonObject['x']][] = [
    ['character', 5],
    ['character', ['a']],
    ['token', null],
    ['record', 'abc'],
    ['record', -1],
    ['second', '5'],
    ['second', -5],
    ['second', { s: 1 }],
  ]
  for (const [unit, what] of cannot)
    verifies('GOV-9', `cannot be told of ${JSON.stringify(what)} by ${unit}`, () => {
      expect(estimateCost(by(unit), { what })).toMatchObject({ cost: 0, confidence: 'failed' })
    })
})

describe('a cost that a function works out', () => {
  test('is an estimate, of money and of tokens', () => {
    expect(estimateCost(({ n }) => Number(n) * 1.5, { n: 3 })).toEqual({ cost: 5, tokens: 0, confidence: 'estimate' })
    expect(estimateCost(() => ({ cost: 7.1, tokens: 9.5 }), {})).toEqual({
      cost: 8,
      tokens: 10,
      confidence: 'estimate',
    })
  })

  const broken: Record<string, () => unknown> = {
    throws: () => {
      throw new Error('no price list')
    },
    'says NaN': () => Number.NaN,
    'says Infinity': () => Infinity,
    'says less than nothing': () => -1,
    'says more than can be counted': () => 2 ** 60,
    'says nothing': () => undefined,
    'says null': () => null,
    'says a text': () => '5',
    promises: () => Promise.resolve(5),
    'says half of it': () => ({ cost: 5 }),
    'says tokens below nothing': () => ({ cost: 5, tokens: -1 }),
  }
  for (const [what, rule] of Object.entries(broken))
    verifies('GOV-9', `that ${what} has failed`, () => {
      expect(estimateCost(rule as CostRule, {})).toMatchObject({ cost: 0, confidence: 'failed' })
    })
})

test('a cost nobody knows is unknown', () => {
  expect(estimateCost('unknown', {})).toMatchObject({ confidence: 'unknown' })
})

test('a cost or a quota that is none is told from one that is', () => {
  for (const cost of [0, 5, 'unknown', by('record'), by('token', { fixed: 1, more: 2 }), by('second', { each: 0.5 })])
    expect(isCost(cost), JSON.stringify(cost)).toBe(true)
  const noCosts = [-1, 0.5, '5', null, undefined, [], {}, by('word' as never), by('record', { each: -1 })]
  for (const cost of [
    ...noCosts,
    by('record', { fixed: 0.5 }),
    by('record', { each: Infinity }),
    { ...by('record'), x: 1 },
  ])
    expect(isCost(cost), JSON.stringify(cost)).toBe(false)
  for (const quota of [{}, { perHour: 0 }, { perHour: 5, concurrent: 1 }]) expect(isQuota(quota)).toBe(true)
  for (const quota of [5, null, [], { perHour: -1 }, { perHour: 1.5 }, { perDay: 5 }])
    expect(isQuota(quota)).toBe(false)
})
