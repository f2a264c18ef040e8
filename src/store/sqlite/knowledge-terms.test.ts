import { expect, test } from 'vitest'
import { termsOf } from './knowledge-terms.ts'

const cases: [what: string, text: string, terms: string | undefined][] = [
  ['are its words, each quoted and once', 'Cats, dogs & CATS!', '"cats" OR "dogs"'],
  ['are without those that say little', 'How do I get a cat?', '"cat"'],
  ['are those that say little, if there are no others', 'To be or not', '"to" OR "be" OR "or" OR "not"'],
  ['are none without letters and digits', ' "*" ?? 🌍 \0 ', undefined],
  ['have no signs of a query', `a" OR text:x* NEAR(y) -z`, '"text" OR "x" OR "near" OR "y" OR "z"'],
  ['are words of any language', 'Straße, naïve 東京 ١٢٣', '"straße" OR "naïve" OR "東京" OR "١٢٣"'],
]
for (const [what, text, terms] of cases) test(`terms of a text ${what}`, () => expect(termsOf(text)).toBe(terms))

test('terms of a text are few and short, however long it is', () => {
  const words = Array.from({ length: 100_000 }, (_, i) => `word${i}`).join(' ')
  expect(termsOf(words)?.split(' OR ')).toHaveLength(32)
  expect(termsOf('x'.repeat(1_000_000))).toBeUndefined()
})
