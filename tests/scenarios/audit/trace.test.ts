import { expect } from 'vitest'
import { LOCAL_OWNER, type Actor } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const turns = [{ calls: [{ name: 'look', args: { email: 'ada@example.org', page: 2 } }] }, { text: 'Done.' }]
const long = 'x'.repeat(2000)

verifies(
  'PHA-9',
  'the trace of a real round tells its tools, phases, call and whole output, personal fields taken out',
  async () => {
    const u = await segnoUnderTest({ turns, tools: [probe('look', { outputChars: 100, run: () => long })] })
    const { requestId } = await u.ask('Go.', { protocol: 'triggered' })
    const trace = await u.segno.readings.trace(LOCAL_OWNER, requestId)
    expect(trace.map(({ type }) => type)).toEqual([
      'orchestration_phase_start',
      'tool_registration',
      'tool_call',
      'tool_result',
      'orchestration_phase_end',
      'orchestration_phase_start',
      'orchestration_phase_end',
    ])
    const marks = trace.flatMap((entry) =>
      'phaseIndex' in entry ? [[entry.type.split('_').at(-1), entry.phase, entry.phaseIndex, entry.cycleIndex]] : [],
    )
    expect(marks).toEqual([
      ['start', 'tool_phase', 1, 1],
      ['end', 'tool_phase', 1, 1],
      ['start', 'action_phase', 2, 2],
      ['end', 'action_phase', 2, 2],
    ])
    const told = JSON.stringify(trace)
    expect(told).toContain(long)
    expect(told).toContain('"page":2')
    expect(told).not.toContain('ada@example.org')
  },
)

verifies(['PHA-2', 'PHA-9'], 'calls that come after the first one of a triggered turn are traced', async () => {
  // Without arguments only the end of the stream tells that the first call is complete, so the second one is seen.
  const calls = [{ name: 'look', rawArgs: '' }, { name: 'peek' }]
  const u = await segnoUnderTest({ turns: [{ calls }, { text: 'Done.' }], tools: [probe('look'), probe('peek')] })
  const { requestId } = await u.ask('Go.', { protocol: 'triggered' })
  const trace = await u.segno.readings.trace(LOCAL_OWNER, requestId)
  expect(trace.filter(({ type }) => type === 'ignored_tool_call')).toMatchObject([
    { turn: 1, tool: 'peek', reason: 'after_first' },
  ])
})

verifies('PHA-9', 'a trace is for readers of its tenant with the permission, and expires', async () => {
  let now = 1_000_000
  const clock = { now: () => now }
  const u = await segnoUnderTest({ turns, tools: [probe('look')], clock, limits: { TRACE_MS: 1000 } })
  const { requestId } = await u.ask()
  const read = (actor: Partial<Actor>) => u.segno.readings.trace({ ...LOCAL_OWNER, ...actor }, requestId)
  const auditor = { id: 'eve', permissions: ['trace:read'] }
  expect((await read(auditor)).length).toBeGreaterThan(0)
  await expect(read({ permissions: ['chat:*'] })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  await expect(read({ ...auditor, tenant: 'other' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  now += 1000
  expect((await read(auditor)).length).toBeGreaterThan(0)
  now += 1
  await expect(read(auditor)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
