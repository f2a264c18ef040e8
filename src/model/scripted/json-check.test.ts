import { expect, it } from 'vitest'
import { integer, list, oneOf, optional, shape, string } from './json-check.ts'

const pet = shape<{ name: string; legs?: number; kind?: string; friends?: string[] }>({
  name: string,
  legs: optional(integer(0, 8)),
  kind: optional(oneOf('cat', 'dog')),
  friends: optional(list(string)),
})

it('accepts what has the shape', () => {
  expect(() => pet({ name: 'Momo', legs: 4, kind: 'cat', friends: ['Rex'] }, 'pet')).not.toThrow()
  expect(() => pet({ name: 'Momo' }, 'pet')).not.toThrow()
})

it.each([
  [{}, 'pet.name: expected a string, got nothing'],
  [null, 'pet: expected an object, got null'],
  [[1, 2], 'pet: expected an object, got an array of 2'],
  [{ name: 'a', legs: 9 }, 'pet.legs: expected a whole number from 0 to 8, got 9'],
  [{ name: 'a', legs: 1.5 }, 'pet.legs: expected a whole number from 0 to 8, got 1.5'],
  [{ name: 'a', kind: 'cow' }, 'pet.kind: expected one of cat, dog, got "cow"'],
  [{ name: 'a', friends: ['b', {}] }, 'pet.friends[1]: expected a string, got an object'],
  [{ name: 'a', wings: 2 }, 'pet.wings: unknown key, expected one of name, legs, kind, friends'],
])('says where %j is wrong', (value, message) => {
  expect(() => pet(value, 'pet')).toThrow(message)
})
