import { expect, test } from 'vitest'
import type { Answer, Question } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type SegnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const turns = [{ calls: [{ name: 'paint' }] }, { text: 'Painted.' }]
const SURE: Question = { message: 'Are you sure?' }
const OTHER: Question = { message: 'And now?' }

/** A call that may run again: it asks this, and then goes on for ever, or ends. */
function painter(questions: readonly Question[], ends: boolean) {
  const heard: Answer[] = []
  const acted = Promise.withResolvers<void>()
  const tool = probe('paint', {
    effect: 'keyed',
    approval: 'auto',
    async run(_, ctx) {
      for (const question of questions) heard.push(await ctx.ask(question))
      acted.resolve()
      return ends ? 'done' : new Promise(() => {})
    },
  })
  return { tool, heard, acted: acted.promise }
}

async function answer(u: SegnoUnderTest, nth: number, decision: 'approve' | 'deny'): Promise<void> {
  await u.until('approval.requested', nth)
  const [question] = await u.pending()
  await u.decide(question, decision)
}

verifies('REL-1', 'an answer is in the log before the call that asked has it', async () => {
  const decided: number[] = []
  const tool = probe('paint', {
    async run(_, ctx) {
      await ctx.ask(SURE)
      decided.push(said(await u.events(), 'approval.decided').length)
      return 'done'
    },
  })
  const u = await segnoUnderTest({ tools: [tool], turns })
  const round = await u.send()
  await answer(u, 1, 'approve')
  await round.completion
  expect(decided).toEqual([1])
})

verifies(
  'ORC-8',
  'a call that runs again gets the answers it had, in their order, and asks what it had not',
  async () => {
    const first = painter([SURE, SURE], false)
    const u = await segnoUnderTest({ tools: [first.tool], turns })
    const { requestId } = await u.send()
    await answer(u, 1, 'deny')
    await answer(u, 2, 'approve')
    await first.acted
    const second = painter([SURE, SURE, SURE, OTHER], true)
    await u.reopen({ tools: [second.tool] })
    await answer(u, 3, 'deny')
    await answer(u, 4, 'approve')
    await u.segno.completion(u.sessionId, requestId)
    const [no, yes] = [{ action: 'decline' }, { action: 'accept', content: {} }]
    expect(second.heard).toEqual([no, yes, no, yes])
    expect(said(await u.events(), 'approval.requested').map(({ target }) => target)).toEqual([
      ...Array.from({ length: 3 }, () => SURE.message),
      OTHER.message,
    ])
  },
)

test('an answer to one question is no answer to another', async () => {
  const first = painter([SURE], false)
  const u = await segnoUnderTest({ tools: [first.tool], turns })
  const { requestId } = await u.send()
  await answer(u, 1, 'approve')
  await first.acted
  const second = painter([{ ...SURE, schema: { type: 'object' } }], true)
  await u.reopen({ tools: [second.tool] })
  await answer(u, 2, 'deny')
  await u.segno.completion(u.sessionId, requestId)
  expect(second.heard).toEqual([{ action: 'decline' }])
})

test('a question nobody answered is asked anew', async () => {
  const first = painter([SURE], false)
  const u = await segnoUnderTest({ tools: [first.tool], turns, limits: { QUESTION_MS: 30 } })
  const { requestId } = await u.send()
  await first.acted
  expect(first.heard).toEqual([{ action: 'cancel' }])
  const second = painter([SURE], true)
  await u.reopen({ tools: [second.tool], limits: {} })
  await answer(u, 2, 'approve')
  await u.segno.completion(u.sessionId, requestId)
  expect(second.heard).toEqual([{ action: 'accept', content: {} }])
})
