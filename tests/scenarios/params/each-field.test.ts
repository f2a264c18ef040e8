import { describe, expect } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import { PROTOCOLS } from '../../../src/contract/outcome.ts'
import { probe } from '../../support/probe-tool.ts'
import { said, segnoUnderTest } from '../../support/segno-under-test.ts'
import { verifies } from '../../support/verifies.ts'
import { problemOf } from '../library/support/problem-of.ts'

const CALL = { calls: [{ name: 'look' }] }
const DONE = { text: 'Done.' }

describe.each(PROTOCOLS)('%s', (protocol) => {
  verifies('GOV-22', 'effort, temperature and longest answer of a message are those of its model calls', async () => {
    const u = await segnoUnderTest({ tools: [probe('look')], turns: [CALL, DONE] })
    const params = { effort: 'high', temperature: 0.2, maxOutput: 500 } as const
    const { events } = await u.ask('Go.', { protocol, ...params })
    const sent = u.requests.map(({ reasoning, temperature, maxOutputTokens }) => ({
      effort: reasoning,
      temperature,
      maxOutput: maxOutputTokens,
    }))
    expect(sent).toEqual([params, params])
    expect(said(events, 'round.started')).toMatchObject([{ params }])
    expect(said(events, 'turn.started').map((turn) => turn.sent?.params)).toMatchObject([params, params])
    await u.ask('Go.', { protocol })
    expect(u.requests[2]).not.toHaveProperty('temperature')
    expect(u.requests[2]?.maxOutputTokens).toBe(4000)
  })

  verifies('GOV-22', 'of the tools, only those a message names are offered, and no other can be called', async () => {
    const send = probe('send')
    const turns = [{ calls: [{ name: 'send' }] }, DONE]
    const u = await segnoUnderTest({ tools: [probe('look'), send], turns })
    const { events } = await u.ask('Go.', { protocol, tools: ['look'] })
    expect(u.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look'])
    expect(said(events, 'tool.result').map(({ code }) => code)).toEqual(['MODE'])
    expect(send.runs).toEqual([])
    await u.ask('Go.', { protocol, tools: [] })
    expect(u.requests.at(-1)?.tools).toBeUndefined()
  })

  verifies(
    'GOV-22',
    'a tool that must be called is forced until the first call, and then the model is free',
    async () => {
      const u = await segnoUnderTest({ tools: [probe('look'), probe('send')], turns: [CALL, DONE] })
      const choices = async (toolChoice: 'required' | { tool: string }) => {
        const { finishReason } = await u.ask('Go.', { protocol, toolChoice })
        return [finishReason, ...u.requests.slice(-2).map((request) => request.toolChoice)]
      }
      expect(await choices('required')).toEqual(['complete', { type: 'required' }, { type: 'auto' }])
      expect(await choices({ tool: 'look' })).toEqual([
        'complete',
        { type: 'tool', toolName: 'look' },
        { type: 'auto' },
      ])
    },
  )

  verifies('GOV-22', 'a round without tool use drops the calls of a model that makes some all the same', async () => {
    const look = probe('look')
    const u = await segnoUnderTest({ tools: [look], turns: [{ text: 'Well.', ...CALL }] })
    const { content, events } = await u.ask('Go.', { protocol, toolChoice: 'none' })
    expect(u.requests.map(({ toolChoice }) => toolChoice)).toEqual([{ type: 'none' }])
    expect([content, look.runs.length]).toEqual(['Well.', 0])
    expect(said(events, 'turn.ended')[0]?.ignored).toEqual([{ name: 'look', reason: 'no_tools' }])
  })
})

verifies('GOV-22', 'a shorter answer is also what is set aside of a budget', async () => {
  const u = await segnoUnderTest({ turns: [DONE] })
  await u.segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 1_000_000 })
  const reserved = async (params: object) => {
    const { events } = await u.ask('Go.', { sessionId: (await u.segno.createSession()).id, ...params })
    return said(events, 'turn.started')[0]?.reserved?.tokens ?? 0
  }
  const usual = await reserved({})
  expect(usual - (await reserved({ maxOutput: 500 }))).toBe(3500)
  const { schema } = { schema: { type: 'object', title: 'long '.repeat(200) } } as const
  expect((await reserved({ output: { schema } })) - usual).toBeGreaterThan(100)
})

const BAD: readonly (readonly [params: object, field: string, words: RegExp])[] = [
  [{ effort: 'huge' }, 'effort', /must be none, minimal, low/],
  [{ temperature: 3 }, 'temperature', /a number from 0 to 2/],
  [{ temperature: '1' }, 'temperature', /a number from 0 to 2/],
  [{ maxOutput: 0 }, 'maxOutput', /a whole number from 1 up/],
  [{ maxOutput: 4001 }, 'maxOutput', /at most 4000, the longest answer of scripted/],
  [{ tools: 'look' }, 'tools', /a list of at most 200 names/],
  [{ tools: ['look', 'nothing', 'more'] }, 'tools', /not offered here: nothing, more/],
  [{ toolChoice: 'often' }, 'toolChoice', /auto, none, required/],
  [{ toolChoice: { tool: 'nothing' } }, 'toolChoice', /names nothing, which is not offered/],
  [{ toolChoice: { tool: 'look' }, tools: [] }, 'toolChoice', /names look, which is not offered/],
  [{ toolChoice: 'required', tools: [] }, 'toolChoice', /no tool is offered/],
  [{ toolChoice: { tool: 'send' }, mode: 'plan' }, 'toolChoice', /names send, which is not offered/],
  [{ output: {} }, 'output', /"schema"/],
  [{ output: { schema: { type: 'array' } } }, 'output.schema', /type "object"/],
  [{ output: { schema: { type: 'object', properties: { a: { pattern: '(' } } } } }, 'output.schema', /pattern/],
  [{ output: { schema: { type: 'object', title: 'x'.repeat(20_000) } } }, 'output.schema', /SCHEMA_CHARS/],
]

verifies('GOV-22', 'a parameter that cannot be is refused with its name, and nothing is stored', async () => {
  const u = await segnoUnderTest({ tools: [probe('look'), probe('send', { effect: 'unsafe' })], turns: [DONE] })
  const before = await u.events()
  for (const [params, field, words] of BAD) {
    const problem = await problemOf(u.send('Go.', params))
    expect(problem, JSON.stringify(params)).toMatchObject({ code: 'VALIDATION_ERROR', field })
    expect(problem.message).toMatch(words)
  }
  expect(await u.events()).toEqual(before)
})
