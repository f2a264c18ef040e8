import { expect, onTestFinished } from 'vitest'
import { compose } from '../../src/app.ts'
import type { Script } from '../../src/model/index.ts'
import { tempHome } from '../scenarios/library/support/open-segno.ts'
import { counting, strictProvider } from '../support/compose-under-test.ts'
import { probe } from '../support/probe-tool.ts'
import { FORMAT_NAMES, type FormatName } from '../support/strict-provider/names.ts'
import { verifies } from '../support/verifies.ts'

type Turn = NonNullable<Script['otherwise']>

/** Two models of each provider: neither knows what the other thought. */
const MODELS: { readonly [format in FormatName]: readonly [string, string] } = {
  anthropic: ['claude-sonnet-5-5', 'claude-opus-5-5'],
  'openai-chat': ['gpt-4.1', 'gpt-4o'],
  openai: ['gpt-5.4', 'gpt-5.4-mini'],
  deepseek: ['deepseek-v4-flash', 'deepseek-v4-pro'],
}

/** From each provider to each other, and between the models of each. */
const WAYS = FORMAT_NAMES.flatMap((format) => [
  ...FORMAT_NAMES.filter((other) => other !== format).map((other) => [
    { provider: format, model: MODELS[format][0] },
    { provider: other, model: MODELS[other][0] },
  ]),
  MODELS[format].map((model) => ({ provider: format, model })),
  MODELS[format].toReversed().map((model) => ({ provider: format, model })),
])

const calls = [
  { name: 'look', args: { at: 'home' } },
  { name: 'look', args: { at: 'work' } },
]
const begin = (text: string): Turn => ({ reasoning: 'First I look.', text, calls })
const overloaded: Turn = { fault: { kind: 'overloaded' } }
const DONE = 'That is all.'

for (const [from, to] of WAYS) {
  if (!from || !to) continue
  verifies('COO-6', `what ${from.model} began to work on is brought to its end by ${to.model}`, async () => {
    const turns = {
      [from.model]: [begin('Let me look.'), overloaded],
      // The calls of a round are counted whoever is asked: this model is asked for the third time, and then again.
      [to.model]: [overloaded, overloaded, begin('Once more.'), { reasoning: 'Enough.', text: DONE }],
    }
    const { env, requests } = await strictProvider((_, model) => ({
      scenarios: [{ when: '', turns: turns[model] ?? [overloaded], repeat: true }],
    }))
    const models = { first: { ...from, fallback: 'second' }, second: to }
    const segno = await compose(
      {
        home: tempHome(),
        env: { ...env, SEGNO_MODELS: JSON.stringify(models) },
        durability: 'normal',
        builtInTools: false,
        tools: [probe('look')],
        limits: { RETRIES: 0, BREAKER_FAILURES: 0 },
      },
      { deps: (deps) => ({ ...deps, model: (key) => counting(deps.model(key)) }) },
    )
    onTestFinished(() => segno.close())
    const { id } = await segno.createSession()
    const round = await segno.streamRequest(id, 'Go.', { model: 'first' })
    expect((await round.completion).content).toContain(DONE)
    const asked = requests.map(({ body }) => body['model'])
    expect(asked.slice(0, 3)).toEqual([from.model, from.model, to.model])
    expect(asked.at(-1)).toBe(to.model)
  })
}
