import { array, assert, dictionary, integer, jsonValue, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { expectLinear } from '../../../tests/support/linear.ts'
import { followArgs } from './follow-args.ts'

function stateOf(pieces: readonly string[]): string {
  const args = followArgs()
  for (const piece of pieces) args.push(piece)
  return args.state
}

test('arguments are whole with their last bracket and not before, wherever they are split', () => {
  const objects = dictionary(string(), jsonValue({ maxDepth: 3 }))
  assert(
    property(objects, array(integer({ min: 1, max: 9 })), (object, sizes) => {
      const json = JSON.stringify(object)
      const args = followArgs()
      let at = 0
      for (const size of [...sizes, json.length]) {
        args.push(json.slice(at, at + size))
        at = Math.min(json.length, at + size)
        expect(args.state).toBe(at === json.length ? 'whole' : 'open')
      }
      expect(args.raw).toBe(json)
    }),
  )
})

test.each([
  ['nothing', [''], 'open'],
  ['space', [' ', '\n'], 'open'],
  ['a bracket in a text', ['{"a":"}', '"'], 'open'],
  ['an escaped quote', ['{"a":"\\', '"}"'], 'open'],
  ['space around it', [' {"a":1} ', '\n'], 'whole'],
  ['an empty object', ['{}'], 'whole'],
  ['no object', ['[1]'], 'broken'],
  ['words', ['sensor'], 'broken'],
  ['brackets that hold no JSON', ['{a:1}'], 'broken'],
  ['brackets that do not match', ['{"a":1]'], 'broken'],
  ['more than one object', ['{"a":1}', '{}'], 'broken'],
] as const)('%s', (_, pieces, state) => {
  expect(stateOf(pieces)).toBe(state)
})

test('time grows with the length and no faster, however small the pieces are', () => {
  const many = (count: number) => () => stateOf(['{"a":"', ...Array.from({ length: count }, () => 'x'), '"}'])
  expectLinear(many(50_000), many(200_000))
})
