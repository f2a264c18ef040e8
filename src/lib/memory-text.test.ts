import { expect, test } from 'vitest'
import { cleanMemory, memoryFault, sameWords } from './memory-text.ts'

const own = (text: string): string => text.replaceAll('correct horse', '[REDACTED]')
const faultOf = (text: string): string | undefined => memoryFault(cleanMemory(text), 200, own)

test.each([
  'My password is hunter2',
  'The WiFi Passwort lautet sommer',
  'api_key: abc',
  'Uses the API key abc',
  'the access-token of the shop',
  'Her secret is safe',
  'credentials are in the drawer',
  'ｐａｓｓｗｏｒｄ hunter2',
  'pass\u200bword hunter2',
  'DB_PASSWORD=hunter2',
  'AWS_SECRET_ACCESS_KEY=abc/def+ghi',
  'API_KEY_PROD is 1',
  'clientSecret: xyz',
  'password1 is hunter2',
  `The id is ${'a1B2'.repeat(8)}`,
  'It is correct horse',
])('what looks like a secret is not remembered: %s', (text) => {
  expect(faultOf(text)).toContain('looks like a password')
})

test.each(['Likes tea', 'Works as a secretary', 'Collects tokenised maps', 'Has a keyboard', 'Passed the exam in May'])(
  'what only looks a little like it is: %s',
  (text) => {
    expect(faultOf(text)).toBeUndefined()
  },
)

test('it has something to see, and at most so many characters', () => {
  expect(faultOf(' \u200b\n ')).toBe('has nothing that anybody could see')
  expect(faultOf('x'.repeat(31))).toBeUndefined()
  expect(faultOf('tea '.repeat(50))).toBeUndefined()
  expect(faultOf(`${'tea '.repeat(50)}x`)).toBe('may have 200 characters; it has 201')
})

test('what is remembered is one line without characters that nobody sees', () => {
  expect(cleanMemory(' likes\n\ttea\u202e \u200b and\r\ncake ')).toBe('likes tea and cake')
})

test('case, blanks and punctuation make no other words', () => {
  expect(sameWords('Likes  TEA, and cake!')).toBe(sameWords('likes tea and cake'))
  expect(sameWords('Uses C++')).not.toBe(sameWords('Uses C'))
  expect(sameWords('喜欢茶。')).toBe('喜欢茶')
  expect(sameWords('COVID-19, 100€')).toBe(sameWords('covid 19 100 €'))
})

test.each([
  ['Budget is 100 €', 'Budget is 100 $'],
  ['The target is -5 degrees', 'The target is 5 degrees'],
  ['Gets 5% off', 'Gets 5 off'],
  ['The rate is 1.5', 'The rate is 15'],
  ['The rate is 1.5', 'The rate is 1 5'],
  ['👍', '🔥'],
  ['!', '?'],
  ['ดี', 'ดุ'],
  ['मेरी बेटी', 'मेरा बेटा'],
])('%s and %s do not say the same', (one, other) => {
  expect(sameWords(one)).not.toBe(sameWords(other))
})
