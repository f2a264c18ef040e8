import { describe, expect, test } from 'vitest'
import { Story } from './telling.suite.ts'

test('a stored event is told under its number, with its place', () => {
  const told = new Story().begin().turn(1).message(1, 'Hi.').told('native')
  expect(told.at(-1)).toEqual({
    id: '4',
    event: 'message.assistant',
    data: {
      seq: 4,
      type: 'message.assistant',
      id: 'e4',
      sessionId: 's',
      requestId: 'r',
      projectId: 'p',
      turn: 1,
      at: '1970-01-01T00:00:00.000Z',
      data: expect.objectContaining({ turn: 1, final: true }) as unknown,
    },
  })
})

test('pulses have no id and say where their text belongs', () => {
  const call = { kind: 'args', callId: 'c', name: 'look' } as const
  const told = new Story().begin().turn(1).delta('a "b"\n', 0).delta('{', 0, call).reset().told('native').slice(3)
  expect(told).toEqual([
    { event: 'delta', data: { requestId: 'r', turn: 1, kind: 'text', offset: 0, text: 'a "b"\n' } },
    { event: 'delta', data: { requestId: 'r', turn: 1, ...call, offset: 0, text: '{' } },
    { event: 'reset', data: { requestId: 'r', turn: 1, reason: 'cut' } },
  ])
})

test('an event that belongs to no round has no turn and no phase', () => {
  const story = new Story().begin('triggered').turn(1).event('session.changed', { title: 'x' }, null)
  const { data } = story.told('native').at(-1) ?? {}
  expect(data).toMatchObject({ turn: null, requestId: null })
  expect(data).not.toHaveProperty('phase')
})

test.each([
  ['ok', false, false],
  ['ok', true, true],
  ['error', false, false],
  ['timeout', false, false],
  ['refused', false, true],
  ['denied', false, true],
] as const)('the content of a result that is %s, asked for: %s, is shown: %s', (outcome, outputs, isShown) => {
  const [told] = new Story().result('c', 'look', outcome).told('native', { outputs })
  const data = told?.data['data'] as object
  expect(data).toMatchObject(isShown ? { content: 'raw output' } : { chars: 'raw output'.length })
  expect('content' in data).toBe(isShown)
})

describe('in a triggered round', () => {
  const phases = new Story()
    .begin('triggered')
    .event('phase.started', { phase: 'tool_phase', phaseIndex: 1, cycleIndex: 1 })
    .turn(1)
    .delta('a', 0)
    .event('phase.ended', { phaseIndex: 1, reason: 'executed' })
    .event('phase.started', { phase: 'action_phase', phaseIndex: 2, cycleIndex: 2 })
    .turn(2)
    .delta('b', 0, { turn: 2 })
    .reset(2)
    .ended()

  test('every frame says its phase; the message belongs to the first, the end is complete', () => {
    const told = phases.told('native').map(({ data }) => [data['phase'], data['phaseIndex'], data['cycleIndex']])
    const first = ['tool_phase', 1, 1]
    const second = ['action_phase', 2, 2]
    expect(told).toEqual([first, first, first, first, first, first, second, second, second, second, ['complete', 3, 2]])
  })

  test('pulses and resets name the project and the round', () => {
    const pulses = phases.told('native').filter(({ id }) => id === undefined)
    expect(pulses).toHaveLength(3)
    for (const { data } of pulses) expect(data).toMatchObject({ projectId: 'p', requestId: 'r' })
  })

  test('a unified round after it has no phases', () => {
    const story = new Story().begin('triggered').ended().begin('unified')
    expect(story.told('native').at(-1)?.data).not.toHaveProperty('phase')
  })
})
