import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { phasesOf } from './phases-of.ts'

const call = (name: string, n = 0): ScriptedTurn => ({ calls: [{ name, args: { n } }] })
const answer: ScriptedTurn = { text: 'Done.' }
const tools = () => [probe('look'), probe('mail', { effect: 'unsafe', approval: 'ask' })]

async function phases(turns: readonly ScriptedTurn[], decisions: readonly ('approve' | 'deny')[] = []) {
  const segno = await segnoUnderTest({ tools: tools(), turns })
  const round = await segno.send('Go.', { protocol: 'triggered' })
  for (const [at, decision] of decisions.entries()) {
    await segno.until('round.waiting', at + 1)
    await segno.decide((await segno.pending())[0], decision)
  }
  await round.completion
  return phasesOf(await segno.events())
}

verifies('PHA-2', 'without a call there is one tool phase, and its text is the answer', async () => {
  expect(await phases([answer])).toEqual(['1 tool_phase c1: turn → answered'])
})

verifies('PHA-2', 'the first call is carried out in phase 1, and the answer comes in the action phase', async () => {
  expect(await phases([call('look'), answer])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn → answered',
  ])
})

verifies('PHA-2', 'a call refused in phase 1 ends it, and the action phase opens', async () => {
  expect(await phases([call('gone'), answer])).toEqual([
    '1 tool_phase c1: turn, UNKNOWN_TOOL → not_executed',
    '2 action_phase c1: turn → answered',
  ])
})

verifies('PHA-2', 'a call approved in phase 1 is carried out in it', async () => {
  expect(await phases([call('mail'), answer], ['approve'])).toEqual([
    '1 tool_phase c1: turn, ask, approve, run → executed',
    '2 action_phase c2: turn → answered',
  ])
})

verifies('PHA-2', 'a call denied in phase 1 ends it without an execution', async () => {
  expect(await phases([call('mail'), answer], ['deny'])).toEqual([
    '1 tool_phase c1: turn, ask, deny, denied → not_executed',
    '2 action_phase c1: turn → answered',
  ])
})

verifies('PHA-2', 'a call is asked about in the action phase and carried out in a tool phase of its own', async () => {
  expect(await phases([call('look'), call('mail'), answer], ['approve'])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn, ask, approve → allowed',
    '3 tool_phase c2: run → executed',
    '4 action_phase c3: turn → answered',
  ])
})

verifies('PHA-2', 'a call denied in the action phase leaves it open for another turn', async () => {
  expect(await phases([call('look'), call('mail'), answer], ['deny'])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn, ask, deny, denied, turn → answered',
  ])
})

verifies('PHA-2', 'a duplicate in the action phase leaves it open for another turn', async () => {
  expect(await phases([call('look'), call('look'), answer])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn, DUPLICATE, turn → answered',
  ])
})

verifies('PHA-2', 'after a refusal in the action phase the next call still gets its own tool phase', async () => {
  expect(await phases([call('look'), call('gone'), call('look', 2), answer])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn, UNKNOWN_TOOL, turn → allowed',
    '3 tool_phase c2: run → executed',
    '4 action_phase c3: turn → answered',
  ])
})

verifies('PHA-2', 'the first execution may come in phase 3, when phase 1 had none', async () => {
  expect(await phases([call('gone'), call('look'), answer])).toEqual([
    '1 tool_phase c1: turn, UNKNOWN_TOOL → not_executed',
    '2 action_phase c1: turn → allowed',
    '3 tool_phase c1: run → executed',
    '4 action_phase c2: turn → answered',
  ])
})

verifies(['PHA-2', 'PHA-6'], 'three cycles are six phases, and the cycle index stops at three', async () => {
  expect(await phases([call('look', 1), call('look', 2), call('look', 3), call('look', 4)])).toEqual([
    '1 tool_phase c1: turn, run → executed',
    '2 action_phase c2: turn → allowed',
    '3 tool_phase c2: run → executed',
    '4 action_phase c3: turn → allowed',
    '5 tool_phase c3: run → executed',
    '6 action_phase c3: turn → answered',
  ])
})

verifies('PHA-2', 'a unified round writes no phases', async () => {
  const segno = await segnoUnderTest({ tools: tools(), turns: [call('look'), answer] })
  const { events } = await segno.ask('Go.', { protocol: 'unified' })
  expect(events.filter(({ type }) => type.startsWith('phase.'))).toEqual([])
})
