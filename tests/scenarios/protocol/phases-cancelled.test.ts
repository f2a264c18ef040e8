import { expect } from 'vitest'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { phasesOf } from './phases-of.ts'

const call = (name: string): ScriptedTurn => ({ calls: [{ name }] })
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
  const tools = [probe('look'), probe('mail', { effect: 'unsafe', approval: 'ask' }), hang]
  const segno = await segnoUnderTest({ tools, turns })
  const round = await segno.send('Go.', { protocol: 'triggered' })
  await segno.until(type, times)
  await round.cancel()
  await round.completion
  return segno.events()
}
