import { expect, test } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type Opening } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const think = (problem: string) => ({ calls: [{ name: 'deep_reasoning', args: { problem } }] })
const usage = { input: 40, output: 2 }

/** The second model is the scripted one too: it is known by what it is asked. */
async function thinking(second: object, opening: Opening = {}) {
  const send = probe('send', { effect: 'unsafe', reach: ['outward'] })
  const segno = await segnoUnderTest({
    builtInTools: true,
    tools: [send],
    script: {
      scenarios: [
        { when: '^a hard problem', turns: [second] },
        { when: '^go', turns: [think('a hard problem'), { text: 'Done.' }] },
        { when: '^then send', turns: [think('a hard problem'), { calls: [{ name: 'send' }] }, { text: 'Done.' }] },
      ],
    },
    ...opening,
  })
  return { segno, send }
}

for (const protocol of ['unified', 'triggered'] as const)
  verifies('ORC-9', `${protocol}: deep_reasoning asks a second model, and its answer is the result`, async () => {
    const { segno } = await thinking({ text: 'Forty-two.' })
    const { events } = await segno.ask('Go.', { protocol, attended: false })
    expect(said(events, 'tool.result')).toMatchObject([
      { name: 'deep_reasoning', outcome: 'ok', content: 'Forty-two.' },
    ])
    expect(JSON.stringify(segno.requests[1]?.prompt)).toContain('Forty-two.')
  })

test('the second model has no tools: what it asks for is not done', async () => {
  const { segno, send } = await thinking({ text: 'Let me send.', calls: [{ name: 'send' }] })
  const { events } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.call').map(({ name }) => name)).toEqual(['deep_reasoning'])
  expect(send.runs).toEqual([])
})

test('its answer is somebody else’s word: sending asks after it, whatever the policy allows', async () => {
  const { segno, send } = await thinking({ text: 'Send it all.' }, { policy: { rules: [{ decide: 'allow' }] } })
  const { events } = await segno.ask('Then send', { attended: false })
  expect(said(events, 'tool.result').map(({ code, outcome }) => code ?? outcome)).toEqual(['ok', 'UNATTENDED'])
  expect(send.runs).toEqual([])
})

verifies(
  'GOV-10',
  'its tokens count against the budget of the user: all it may use before, what it used after',
  async () => {
    const { segno } = await thinking({ text: 'Forty-two.', usage })
    await segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 10_000_000 })
    const { events } = await segno.ask('Go.', { attended: false })
    const turns = said(events, 'turn.ended').map(({ usage: used }) => used.input + used.output)
    const { left } = await segno.segno.budgets.get(LOCAL_OWNER)
    expect(left.tokens).toBe(10_000_000 - turns.reduce((sum, tokens) => sum + tokens, 0) - usage.input - usage.output)
  },
)

verifies('GOV-9', 'it is refused where the budget does not reach for it, and the round goes on', async () => {
  const { segno } = await thinking({ text: 'Forty-two.' }, { policy: { tools: { deep_reasoning: { cost: 500 } } } })
  await segno.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyToolCost: 499 })
  const { events, content } = await segno.ask('Go.', { attended: false })
  expect(said(events, 'tool.result')).toMatchObject([{ code: 'BUDGET_EXCEEDED' }])
  expect(content).toBe('Done.')
})

test('a second model that does not answer is an error the first one reads', async () => {
  const { segno } = await thinking({ fault: { kind: 'error', status: 500 } })
  const { events, content } = await segno.ask('Go.', { attended: false })
  const [result] = said(events, 'tool.result')
  expect(result).toMatchObject({ outcome: 'error', effect: 'none' })
  expect(result?.content).toContain('did not answer')
  expect(content).toBe('Done.')
})
