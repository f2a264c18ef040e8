import { expect } from 'vitest'
import type { StoredEvent } from '../../../src/contract/event.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

/** The phases of a round with what happened in each: `1 tool_phase c1: turn, run → executed`. */
function phasesOf(events: readonly StoredEvent[]): string[] {
  const phases: { head: string; happened: string[]; end: string }[] = []
  for (const { type, data } of events) {
    const phase = phases.at(-1)
    if (type === 'phase.started')
      phases.push({ head: `${data.phaseIndex} ${data.phase} c${data.cycleIndex}`, happened: [], end: 'open' })
    else if (type === 'turn.started') phase?.happened.push('turn')
    else if (type === 'approval.requested') phase?.happened.push('ask')
    else if (type === 'approval.decided') phase?.happened.push(data.decision)
    else if (type === 'tool.started') phase?.happened.push('run')
    else if (type === 'tool.result' && data.outcome !== 'ok') phase?.happened.push(data.code ?? data.outcome)
    else if (type === 'phase.ended' && phase) phase.end = data.reason
  }
  return phases.map(({ head, happened, end }) => `${head}: ${happened.join(', ')} → ${end}`)
}

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

const slow: ScriptedTurn = { text: 'Thinking about it for ever.', fault: { kind: 'stall', afterDeltas: 1 } }
const cancelled: Record<
  string,
  readonly [turns: ScriptedTurn[], when: Parameters<typeof cancelAt>[1], phases: string[]]
> = {
  'in the turn of phase 1': [[slow], ['turn.started', 1], ['1 tool_phase c1: turn → closed']],
  'while phase 1 asks': [
    [call('mail')],
    ['round.waiting', 1],
    ['1 tool_phase c1: turn, ask, stale, cancelled → closed'],
  ],
  'while phase 1 runs a tool': [
    [call('hang')],
    ['tool.started', 1],
    ['1 tool_phase c1: turn, run, cancelled → closed'],
  ],
  'in the turn of an action phase': [
    [call('look'), slow],
    ['turn.started', 2],
    ['1 tool_phase c1: turn, run → executed', '2 action_phase c2: turn → closed'],
  ],
  'while an action phase asks': [
    [call('look'), call('mail')],
    ['round.waiting', 1],
    ['1 tool_phase c1: turn, run → executed', '2 action_phase c2: turn, ask, stale, cancelled → closed'],
  ],
  'while a later tool phase runs its tool': [
    [call('look'), call('hang')],
    ['tool.started', 2],
    [
      '1 tool_phase c1: turn, run → executed',
      '2 action_phase c2: turn → allowed',
      '3 tool_phase c2: run, cancelled → closed',
    ],
  ],
}

for (const [when, [turns, at, expected]] of Object.entries(cancelled)) {
  verifies('PHA-2', `cancelled ${when}, the phase is closed and the round ends once`, async () => {
    const events = await cancelAt(turns, at)
    expect(phasesOf(events)).toEqual(expected)
    expect(events.filter(({ type }) => type === 'round.ended')).toMatchObject([{ data: { finishReason: 'cancelled' } }])
  })
}

async function cancelAt(
  turns: readonly ScriptedTurn[],
  [type, times]: readonly ['turn.started' | 'round.waiting' | 'tool.started', number],
) {
  // Unsafe, so that its start is stored at once and can be waited for.
  const hang = probe('hang', {
    effect: 'unsafe',
    run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  })
  const segno = await segnoUnderTest({ tools: [...tools(), hang], turns })
  const round = await segno.send('Go.', { protocol: 'triggered' })
  await segno.until(type, times)
  await round.cancel()
  await round.completion
  return segno.events()
}
