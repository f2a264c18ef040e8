import { expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest, type ScriptedTurn } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'

const NOTICE = 'Tool budget reached; answer using existing results.'
const FROM_SEGNO = `[From Segno, not from the user: ${NOTICE}]`

/** A model that never stops asking: every turn makes `calls` new calls. */
const greedy = (calls: number, more: ScriptedTurn = {}): ScriptedTurn[] =>
  Array.from({ length: 20 }, (_, turn) => ({
    ...more,
    calls: Array.from({ length: calls }, (_, n) => ({ name: 'look', args: { turn, n } })),
  }))

const cases = [
  { protocol: 'triggered', calls: 1, executed: 3, turns: 4, finishReason: 'tool_limit' },
  { protocol: 'triggered', calls: 5, executed: 3, turns: 4, finishReason: 'tool_limit' },
  { protocol: 'unified', calls: 1, executed: 5, turns: 6, finishReason: 'iteration_limit' },
  { protocol: 'unified', calls: 2, executed: 10, turns: 6, finishReason: 'tool_limit' },
  { protocol: 'unified', calls: 4, executed: 10, turns: 4, finishReason: 'tool_limit' },
  { protocol: 'unified', calls: 30, executed: 10, turns: 2, finishReason: 'tool_limit' },
] as const

for (const { protocol, calls, executed, turns, finishReason } of cases) {
  const name = `${protocol}, ${calls} call${calls > 1 ? 's' : ''} a turn`
  const ask = async (more?: ScriptedTurn) => {
    const tool = probe('look')
    const segno = await segnoUnderTest({ tools: [tool], turns: greedy(calls, more) })
    return { tool, segno, answer: await segno.ask('Go.', { protocol }) }
  }

  verifies(['PHA-6', 'GOV-7'], `${name}: ends after ${executed} executions and one last call`, async () => {
    const { tool, segno, answer } = await ask()
    expect(tool.runs).toHaveLength(executed)
    expect(said(answer.events, 'turn.started').map(({ last }) => last)).toEqual([
      ...Array.from({ length: turns - 1 }, () => false),
      true,
    ])
    expect(segno.requests).toHaveLength(turns)
    expect(answer.finishReason).toBe(finishReason)
  })

  verifies('PHA-6', `${name}: only the last call may not use tools, and is told why`, async () => {
    const { segno, answer } = await ask()
    const choices = segno.requests.map(({ toolChoice }) => toolChoice?.type)
    expect(choices).toEqual([...Array.from({ length: turns - 1 }, () => 'auto'), 'none'])
    expect(segno.requests.slice(0, -1).filter(({ prompt }) => JSON.stringify(prompt).includes(NOTICE))).toEqual([])
    const prompt = segno.requests.at(-1)?.prompt ?? []
    const [, ...more] = JSON.stringify(prompt).split(NOTICE)
    expect(more).toHaveLength(1)
    // A triggered round is told right before the user's message, a unified one behind its last results.
    if (protocol === 'triggered') expect(JSON.stringify(prompt.slice(-2))).toMatch(new RegExp(`${NOTICE}.*Go\\.`))
    else expect(prompt.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text', text: FROM_SEGNO }] })
    expect(said(answer.events, 'notice')).toEqual([{ text: NOTICE, reason: finishReason }])
  })

  verifies(
    'PHA-6',
    `${name}: calls of the last turn are dropped, each with a trace of its name and the reason`,
    async () => {
      const { segno, answer } = await ask()
      const trace = await segno.segno.readings.trace(LOCAL_OWNER, answer.requestId)
      const dropped = trace.filter((entry) => entry.type === 'ignored_tool_call' && entry.turn === turns)
      expect(dropped).toMatchObject(
        Array.from({ length: calls }, () => ({ type: 'ignored_tool_call', tool: 'look', reason: 'no_tools' })),
      )
      const ignored = said(answer.events, 'turn.ended').map(({ ignoredCalls = 0 }) => ignoredCalls)
      expect(ignored.at(-1)).toBe(calls)
      expect(said(answer.events, 'round.ended')).toMatchObject([{ ignoredCalls: ignored.reduce((a, b) => a + b) }])
      expect(said(answer.events, 'message.assistant').at(-1)?.content).toEqual([
        { type: 'text', text: 'The model gave no answer.' },
      ])
    },
  )

  verifies('PHA-6', `${name}: what the last turn says is the answer`, async () => {
    const { answer } = await ask({ text: 'As far as I got.' })
    expect(answer.content).toBe('As far as I got.')
    expect(said(answer.events, 'message.assistant').at(-1)).toMatchObject({ final: true, stopReason: 'end_turn' })
  })
}

verifies('PHA-6', 'an answer without any text becomes a fixed text that is marked as our own', async () => {
  const segno = await segnoUnderTest({ turns: [{}] })
  const { events, content } = await segno.ask()
  expect(content).toBe('The model gave no answer.')
  expect(said(events, 'message.assistant')).toMatchObject([{ final: true, own: true }])
})

verifies(['PHA-6', 'GOV-7'], 'calls past the limit in one message are refused with LIMIT', async () => {
  const segno = await segnoUnderTest({ tools: [probe('look')], turns: greedy(12) })
  const { events } = await segno.ask()
  const results = said(events, 'tool.result').map(({ outcome, code }) => code ?? outcome)
  expect(results).toEqual([...Array.from({ length: 10 }, () => 'ok'), 'LIMIT', 'LIMIT'])
})

verifies('GOV-7', 'unified: repeating a call that only reads is bounded by the turns', async () => {
  const tool = probe('look')
  const segno = await segnoUnderTest({ tools: [tool], turns: [{ calls: [{ name: 'look' }] }], repeat: true })
  const { finishReason } = await segno.ask()
  expect(tool.runs).toHaveLength(5)
  expect(finishReason).toBe('iteration_limit')
})
