import { expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'

test.each([
  ['{"a": 1}', { a: 1 }],
  ['\n {"a": 1} \n', { a: 1 }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['```\n{"a": "```"}\n```', { a: '```' }],
  ['```json\n{"a": 1}', undefined],
  ['Here it is: {"a": 1}', undefined],
  ['{"a": 1} {"b": 2}', undefined],
  ['[1]', undefined],
  ['null', undefined],
  ['', undefined],
  [`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`, undefined],
])('reads the object that %j is', (text, object) => expect(readAnswer(text)).toEqual(object))
