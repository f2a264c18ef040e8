import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { groupCommit } from './group-commit.ts'
import { asProblem } from './postgres-problem.ts'

const held = asProblem(Object.assign(new DatabaseError('', 0, 'error'), { code: '55P03' }))

test('where all wait for the same lock, those after the second are refused without a try', async () => {
  const sent: number[] = []
  const group = groupCommit<{ sessionId: string; isAlone: boolean }, string>(1, async (entries) => {
    sent.push(entries.length)
    throw held
  })
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, (_, i) => group.run({ sessionId: `s${i}`, isAlone: false })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array<string>(30).fill('rejected'))
  expect(sent).toEqual([30, 1, 1])
})

test('one that waits for a lock keeps the others of its group waiting once', async () => {
  const group = groupCommit<{ sessionId: string; isAlone: boolean }, string>(1, async (entries) => {
    if (entries.some(({ sessionId }) => sessionId === 's3')) throw held
    return entries.map(({ sessionId }) => sessionId)
  })
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, (_, i) => group.run({ sessionId: `s${i}`, isAlone: false })),
  )
  expect(answers.map(({ status }) => status === 'fulfilled')).toEqual([true, true, true, false, true, true])
})
