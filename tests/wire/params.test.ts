import { describe, expect, onTestFinished, test } from 'vitest'
import { compose } from '../../src/app.ts'
import type { RequestOptions } from '../../src/channel/library/index.ts'
import type { Model, Script } from '../../src/model/index.ts'
import { problemOf } from '../scenarios/library/support/problem-of.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { counting, strictProvider } from '../support/compose-under-test.ts'
import { probe } from '../support/probe-tool.ts'
import { said } from '../support/segno-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { LOCAL_OWNER } from '../../src/contract/actor.ts'

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, river: { type: 'string' } },
  required: ['city'],
} as const
const output = { schema }
const ROME = '{"city":"Rome"}'
const CALLS: Script = {
  scenarios: [{ when: '', turns: [{ calls: [{ name: 'look' }] }, { text: ROME }], repeat: true }],
}
const ANSWERS: Script = { scenarios: [{ when: '', turns: [{ text: ROME }], repeat: true }] }

/** A conversation with one model of the strict provider, and what that was sent. */
async function talk(model: string, script: Script, options: RequestOptions, entry: Partial<Model> = {}) {
  const { env, requests } = await strictProvider(script)
  const segno = await compose(
    { home: tempHome(), env, durability: 'normal', builtInTools: false, tools: [probe('look')] },
    { deps: (deps) => ({ ...deps, model: (key) => ({ ...counting(deps.model(key)), ...entry }) }) },
  )
  onTestFinished(() => segno.close())
  const { id } = await segno.createSession({ model })
  const send = () => segno.streamRequest(id, 'Rome?', options)
  return {
    requests,
    send,
    async ask() {
      const completion = await (await send()).completion
      const events = await segno.sessions.events(LOCAL_OWNER, id)
      return { ...completion, bodies: requests.map(({ body }) => body), events }
    },
  }
}

const LENGTHS: readonly (readonly [model: string, body: object, none: readonly string[]])[] = [
  ['anthropic:claude-haiku-4-5', { max_tokens: 500, temperature: 0.2 }, []],
  ['openai:gpt-4o', { max_output_tokens: 500, temperature: 0.2 }, ['reasoning']],
  ['openai-chat:gpt-4o', { max_tokens: 500, temperature: 0.2 }, ['max_completion_tokens']],
  ['deepseek-chat', { max_tokens: 500, temperature: 0.2, thinking: { type: 'disabled' } }, []],
]

verifies('GOV-22', 'each provider gets length and temperature by the names it has for them', async () => {
  for (const [model, body, none] of LENGTHS) {
    const { ask } = await talk(model, ANSWERS, { maxOutput: 500, temperature: 0.2 })
    const { bodies, finishReason } = await ask()
    expect(finishReason).toBe('complete')
    expect(bodies[0], model).toMatchObject(body)
    for (const field of none) expect(bodies[0], model).not.toHaveProperty(field)
  }
})

verifies('GOV-22', 'a model that thinks gets the effort, and no temperature of its entry', async () => {
  const sent = async (model: string) =>
    (await (await talk(model, ANSWERS, { effort: 'high', maxOutput: 4000 })).ask()).bodies[0]
  const responses = await sent('openai:gpt-5.4')
  expect(responses).toMatchObject({ max_output_tokens: 4000, reasoning: { effort: 'high' } })
  const chat = await sent('openai-chat:gpt-5.4')
  expect(chat).toMatchObject({ max_completion_tokens: 4000 })
  const claude = await sent('anthropic:claude-haiku-4-5')
  expect(claude).toMatchObject({ max_tokens: 4000, thinking: { type: 'enabled', budget_tokens: 2400 } })
  expect(await sent('deepseek-chat')).toMatchObject({ max_tokens: 4000, reasoning_effort: 'high' })
  for (const body of [responses, chat, claude]) expect(body).not.toHaveProperty('temperature')
})

const CHOICES: readonly (readonly [model: string, required: unknown, named: unknown])[] = [
  ['anthropic:claude-haiku-4-5', { type: 'any' }, { type: 'tool', name: 'look' }],
  ['openai:gpt-5.4', 'required', { type: 'function', name: 'look' }],
  ['openai-chat:gpt-4o', 'required', { type: 'function', function: { name: 'look' } }],
  ['deepseek-chat', 'required', { type: 'function', function: { name: 'look' } }],
]

verifies('GOV-22', 'a tool that must be called is forced in the words of each provider', async () => {
  for (const [model, required, named] of CHOICES) {
    const choices = async (toolChoice: 'required' | { tool: string }) => {
      const { bodies, calls } = await (await talk(model, CALLS, { toolChoice })).ask()
      expect(calls).toHaveLength(1)
      return bodies.map((body) => body['tool_choice'])
    }
    expect((await choices('required'))[0], model).toEqual(required)
    expect((await choices({ tool: 'look' }))[0], model).toEqual(named)
  }
})

const FORBIDDEN: readonly (readonly [model: string, options: RequestOptions, words: RegExp])[] = [
  ['claude-sonnet', { toolChoice: 'required' }, /while claude-sonnet thinks. Set toolChoice to auto, or use another/],
  ['claude-sonnet', { effort: 'none' }, /claude-sonnet always thinks; low is the least/],
  ['claude-haiku-4.5', { toolChoice: { tool: 'look' }, effort: 'high' }, /or set effort to none/],
  ['claude-haiku-4.5', { temperature: 0.5, effort: 'high' }, /temperature cannot be set while claude-haiku-4.5 thinks/],
  ['claude-haiku-4.5', { temperature: 1.5 }, /temperature must be at most 1 for/],
  ['deepseek-reasoner', { toolChoice: 'required' }, /or set effort to none/],
  ['gpt-5.4', { maxOutput: 15 }, /maxOutput must be at least 16 for gpt-5.4/],
]

verifies('GOV-22', 'what a provider would refuse is refused before it is asked, with the way out', async () => {
  for (const [model, options, words] of FORBIDDEN) {
    const { send, requests } = await talk(model, CALLS, options)
    const problem = await problemOf(send())
    expect(problem.message, model).toMatch(words)
    expect(requests).toEqual([])
  }
})

describe('an answer that has to fit a schema', () => {
  const FORMATS: readonly (readonly [model: string, body: object])[] = [
    ['claude-haiku-4.5', { output_config: { format: { type: 'json_schema', schema: { required: ['city'] } } } }],
    ['gpt-5.4', { text: { format: { type: 'json_schema', name: 'response', strict: false, schema } } }],
    ['openai-chat:gpt-4o', { response_format: { type: 'json_schema', json_schema: { strict: false, schema } } }],
  ]

  verifies('GOV-22', 'is held to it by each provider that can, also beside tools', async () => {
    for (const [model, body] of FORMATS) {
      const { ask } = await talk(model, CALLS, { output }, { structuredOutput: true })
      const { bodies, output: got, finishReason } = await ask()
      expect([got, finishReason]).toEqual([{ city: 'Rome' }, 'complete'])
      for (const one of bodies) expect(one, model).toMatchObject(body)
    }
  })

  verifies('GOV-22', 'is asked for in words where the provider knows no schemas, or not this one', async () => {
    const open = { type: 'object', additionalProperties: { type: 'string' } } as const
    const cases = [
      ['deepseek-chat', { output }],
      ['claude-haiku-4.5', { output: { schema: open } }],
    ] as const
    for (const [model, options] of cases) {
      const { ask } = await talk(model, ANSWERS, options, { structuredOutput: true })
      const { bodies, output: got } = await ask()
      expect(got).toEqual({ city: 'Rome' })
      expect(bodies[0]).not.toHaveProperty('response_format')
      expect(bodies[0]).not.toHaveProperty('output_config.format')
      expect(JSON.stringify(bodies[0])).toContain('fits this JSON schema')
    }
  })

  test('is asked for again by every provider after one that does not fit', async () => {
    const turns = [{ text: 'Rome is a city.' }, { text: ROME }]
    for (const model of ['claude-haiku-4.5', 'gpt-5.4', 'openai-chat:gpt-4o', 'deepseek-chat']) {
      const { ask } = await talk(model, { scenarios: [{ when: '', turns }] }, { output })
      const { output: got, events } = await ask()
      expect(got, model).toEqual({ city: 'Rome' })
      expect(said(events, 'turn.retried')).toMatchObject([{ shown: true }])
    }
  })
})
