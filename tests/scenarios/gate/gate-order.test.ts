import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

type Call = NonNullable<ScriptedTurn['calls']>[number]

interface Wrong {
  readonly calls: readonly Call[]
  readonly codes: readonly string[]
  readonly permissions?: readonly string[]
  readonly mode?: 'plan'
  readonly maxToolCalls?: number
}

const look: Call = { name: 'look' }
const mail: Call = { name: 'mail', args: { to: 'ann' } }
const badMail: Call = { name: 'mail', args: { to: 5 } }
const only = (tool: string) => ({ permissions: ['chat:*', `tool:${tool}`] })

/** Each call is wrong in two ways, or asks although it is wrong; the earlier step of the gate must speak. */
const wrong: Record<string, Wrong> = {
  'parse before exists': { calls: [{ name: 'gone', rawArgs: '{' }], codes: ['INVALID'] },
  'exists before permission': { calls: [{ name: 'gone' }], codes: ['UNKNOWN_TOOL'], ...only('look') },
  'exists before duplicate': { calls: [{ name: 'gone' }, { name: 'gone' }], codes: ['UNKNOWN_TOOL', 'UNKNOWN_TOOL'] },
  'schema before duplicate': { calls: [badMail, badMail], codes: ['INVALID', 'INVALID'] },
  'schema before permission': { calls: [badMail], codes: ['INVALID'], ...only('look') },
  'schema before mode': { calls: [badMail], codes: ['INVALID'], mode: 'plan' },
  'schema before approval': { calls: [badMail], codes: ['INVALID'] },
  'schema before limit': { calls: [look, badMail], codes: ['ok', 'INVALID'], maxToolCalls: 1 },
  'duplicate before permission': { calls: [mail, mail], codes: ['PERMISSION', 'DUPLICATE'], ...only('look') },
  'duplicate before mode': { calls: [mail, mail], codes: ['MODE', 'DUPLICATE'], mode: 'plan' },
  'permission before limit': { calls: [look, mail], codes: ['ok', 'PERMISSION'], ...only('look'), maxToolCalls: 1 },
  'permission before approval': { calls: [mail], codes: ['PERMISSION'], ...only('look') },
  'mode before approval': { calls: [mail], codes: ['MODE'], mode: 'plan' },
  'limit before approval': { calls: [look, mail], codes: ['ok', 'LIMIT'], maxToolCalls: 1 },
}

const tools = () => [
  probe('look'),
  probe('mail', {
    effect: 'unsafe',
    approval: 'ask',
    input: { type: 'object', properties: { to: { type: 'string' } } },
  }),
]

for (const [name, { calls, codes, permissions = ['*'], mode = 'act', maxToolCalls = 10 }] of Object.entries(wrong)) {
  verifies('GOV-8', `the gate looks at ${name}`, async () => {
    const segno = await segnoUnderTest({ tools: tools(), turns: [{ calls }, { text: 'Done.' }] })
    const actor = { ...LOCAL_OWNER, permissions }
    const { events } = await segno.ask('Go.', { actor, mode, limits: { maxToolCalls } })
    expect(said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)).toEqual(codes)
    expect(said(events, 'approval.requested')).toEqual([])
  })
}

verifies('GOV-8', 'every refusal has a code, a reason the model reads, and no effect', async () => {
  const calls = [{ name: 'gone' }, badMail, { name: 'mail', rawArgs: '{' }]
  const segno = await segnoUnderTest({ tools: tools(), turns: [{ calls }, { text: 'Done.' }] })
  const { events } = await segno.ask()
  const results = said(events, 'tool.result')
  expect(results).toHaveLength(3)
  const shown = JSON.stringify(segno.requests[1]?.prompt)
  for (const { outcome, code, effect, content } of results) {
    expect({ outcome, effect, code }).toEqual({
      outcome: 'refused',
      effect: 'none',
      code: expect.any(String) as string,
    })
    expect(shown).toContain(JSON.stringify(content).slice(1, -1))
  }
  expect(said(events, 'tool.started')).toEqual([])
})

verifies('GOV-8', 'a call is recorded, judged, approved, started and answered in this order', async () => {
  const segno = await segnoUnderTest({ tools: tools(), turns: [{ calls: [mail] }, { text: 'Done.' }] })
  const { round, approvals } = await segno.askUntilWaiting()
  await segno.decide(approvals[0], 'approve')
  await round.completion
  const callId = approvals[0]?.callId
  const steps = (await segno.events()).filter(({ data }) => 'callId' in data && data.callId === callId)
  expect(steps.map(({ type }) => type)).toEqual([
    'tool.call',
    'approval.requested',
    'approval.decided',
    'tool.started',
    'tool.result',
  ])
})

for (const [permissions, code] of [
  [['*'], 'ok'],
  [['tool:invoke'], 'ok'],
  [['tool:look'], 'ok'],
  [['tool:mail', 'tool:lookup'], 'PERMISSION'],
  [[], 'PERMISSION'],
] as const) {
  verifies('GOV-8', `a user with [${permissions.join(', ')}] who calls look gets ${code}`, async () => {
    const segno = await segnoUnderTest({ tools: tools(), turns: [{ calls: [look] }, { text: 'Done.' }] })
    const { events } = await segno.ask('Go.', { actor: { ...LOCAL_OWNER, permissions: ['chat:*', ...permissions] } })
    expect(said(events, 'tool.result').map((result) => result.code ?? result.outcome)).toEqual([code])
  })
}
