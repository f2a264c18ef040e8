import { expect } from 'vitest'
import type { Tool } from '../../../src/contract/tool.ts'
import { probe, text } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const write = (path: string, body = 'x'): ScriptedTurn => ({ calls: [{ name: 'write', args: { path, body } }] })
const done: ScriptedTurn = { text: 'Done.' }

/** The first message writes to a/b and is approved for the session; what is asked about after that? */
async function afterRemembering(next: ScriptedTurn, more: Partial<Tool> = { target: ({ path }) => text(path) }) {
  const tool = probe('write', { effect: 'unsafe', approval: 'ask', own: true, ...more })
  const script = {
    scenarios: [
      { when: '^first', turns: [write('a/b'), done] },
      { when: '^next', turns: [next, done] },
    ],
  }
  const segno = await segnoUnderTest({ tools: [tool], script })
  const { round, approvals } = await segno.askUntilWaiting('First')
  await segno.decide(approvals[0], 'approve', { remember: 'session' })
  await round.completion
  const { events } = await segno.ask('Next', { attended: false })
  return { segno, tool, asked: said(events, 'tool.result').map(({ code }) => code === 'UNATTENDED') }
}

verifies('ORC-8', 'a remembered approval covers the same target for the rest of the session', async () => {
  const { tool, asked } = await afterRemembering(write('a/b', 'another text'))
  expect(asked).toEqual([false])
  expect(tool.runs).toHaveLength(2)
})

for (const path of ['a', 'a/', 'a/b/c', 'a/bc', 'A/b', 'a/b ']) {
  verifies('ORC-8', `a remembered approval of a/b does not cover ${JSON.stringify(path)}`, async () => {
    const { asked } = await afterRemembering(write(path))
    expect(asked).toEqual([true])
  })
}

verifies('ORC-8', 'without a declared target exactly the same arguments are covered, and no others', async () => {
  const calls = [write('a/b', 'x'), write('a/b', 'y')].flatMap(({ calls = [] }) => calls)
  const { asked } = await afterRemembering({ calls }, {})
  expect(asked).toEqual([false, true])
})

verifies('ORC-8', 'a tool that always asks is never remembered', async () => {
  const { segno, asked } = await afterRemembering(write('a/b'), { approval: 'always' })
  expect(asked).toEqual([true])
  expect(said(await segno.events(), 'approval.requested')).toMatchObject([{ rememberable: false }])
})

verifies('ORC-8', 'a remembered approval does not reach into another session', async () => {
  const { segno } = await afterRemembering(write('a/b'))
  const { id: sessionId } = await segno.segno.createSession()
  const { events } = await segno.ask('Next', { attended: false, sessionId })
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
})

verifies('ORC-8', 'a remembered approval outlives a restart, but not a change of the tool', async () => {
  const { segno, tool } = await afterRemembering(write('a/b'))
  await segno.reopen()
  const same = await segno.ask('Next', { attended: false })
  expect(said(same.events, 'tool.result')).toMatchObject([{ outcome: 'ok' }])
  await segno.reopen({ tools: [{ ...tool, description: 'writes without looking' }] })
  const changed = await segno.ask('Next', { attended: false })
  expect(said(changed.events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
})

verifies('ORC-8', 'an approval that was not to be remembered holds once', async () => {
  const tool = probe('write', { effect: 'unsafe', approval: 'ask' })
  const segno = await segnoUnderTest({ tools: [tool], turns: [write('a/b'), done] })
  const { round, approvals } = await segno.askUntilWaiting('First')
  await segno.decide(approvals[0], 'approve')
  await round.completion
  const { events } = await segno.ask('Next', { attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'UNATTENDED' }])
})
