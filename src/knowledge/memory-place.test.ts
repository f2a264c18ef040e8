import { expect, test } from 'vitest'
import { differInOnePlace } from './memory-place.ts'

test.each([
  ['Project Falcon is due in May', 'Project Falcon is due in June', true],
  ['Birthday is 3 May', 'birthday is 4 June!', true],
  ['The user has two children', 'The user has three children', true],
  ['The user prefers short answers', 'The user prefers detailed answers', true],
  ['Phone of Anna is 123', 'Phone of Bob is 456', false],
  ['Likes tea', 'Likes cake', false],
  ['Lives in Kigali with two cats', 'Works in Lisbon with two cats', false],
  ['Fact one is here', 'Fact one is here and there and elsewhere', false],
])('%j and %j differ in one place: %j', (one, other, expected) => {
  expect(differInOnePlace(one, other)).toBe(expected)
  expect(differInOnePlace(other, one)).toBe(expected)
})
