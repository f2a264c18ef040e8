import { expect, test } from 'vitest'
import { verifies } from '../../../tests/support/verifies.ts'
import { readListed } from './listed-model.ts'

const PRICES = { prompt: '0.000001', completion: '0.000002', request: '0', internal_reasoning: '0.000002' }
const pricesOf = (pricing: object) => readListed({ id: 'one', pricing: { ...PRICES, ...pricing } }, true)?.prices

verifies('GOV-22', 'a model with fees that tokens do not tell has no price', () => {
  expect(pricesOf({})).toEqual({ input: 1_000_000, output: 2_000_000 })
  for (const fee of [{ request: '0.005' }, { internal_reasoning: '0.00003' }, { request: 'much' }, { prompt: '-1' }])
    expect(pricesOf(fee), JSON.stringify(fee)).toBeUndefined()
})

test('a name of several lines, or that a terminal would take for a command, is none', () => {
  for (const id of ['one\ntwo', '\u001b]0;one\u0007']) expect(readListed({ id }, false)).toBeUndefined()
})
