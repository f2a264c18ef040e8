import { expect, test } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe } from '../../support/probe-tool.ts'
import { openSegno, tempHome } from '../library/support/open-segno.ts'
import { problemOf } from '../library/support/problem-of.ts'

const FAULTS: readonly [string, readonly unknown[], RegExp][] = [
  ['a name no provider takes', [probe('send mail')], /"send mail" has a name/],
  ['an empty name', [probe('')], /has a name/],
  ['no name', [{ ...probe('x'), name: undefined }], /has a name/],
  ['the name of another', [probe('look'), probe('look')], /"look" is registered twice/],
  ['no description', [{ ...probe('look'), description: undefined }], /"look" has no description/],
  ['nothing to run', [{ ...probe('look'), run: undefined }], /"look" has no run function/],
  ['an effect nobody knows', [probe('look', { effect: 'harmless' as 'pure' })], /effect class "harmless"/],
  ['an approval nobody knows', [probe('look', { approval: 'never' as 'auto' })], /approval rule "never"/],
  ['nothing to verify with', [probe('look', { effect: 'verifiable' })], /"look" is "verifiable" but has no verify/],
  ['no time', [probe('look', { timeoutMs: 0 })], /timeoutMs/],
  ['a broken cost', [probe('look', { cost: 0.5 })], /cost/],
  ['an input that is no object', [probe('look', { input: { type: 'string' } as never })], /"look" has an input schema/],
  ['no input', [{ ...probe('look'), input: undefined }], /"look" has an input schema/],
]

for (const [what, tools, said] of FAULTS) {
  test(`a tool with ${what} stops the start, and the message names it`, async () => {
    const home = tempHome()
    const problem = await problemOf(openSegno({ home, model: {}, tools: tools as Tool[] }))
    expect(problem.code).toBe('CONFIG_ERROR')
    expect(problem.message).toMatch(said)
    await openSegno({ home, model: {} })
  })
}

test('a tool of the same name as a built-in one takes its place', async () => {
  const datetime = probe('datetime', { run: () => 'teatime' })
  const model = { scenarios: [{ when: '', turns: [{ calls: [{ name: 'datetime' }] }, { text: 'ok' }] }] }
  const segno = await openSegno({ model, tools: [datetime], builtInTools: true })
  const { id } = await segno.createSession()
  await (
    await segno.streamRequest(id, 'what time is it?')
  ).completion
  expect(datetime.runs).toHaveLength(1)
})
