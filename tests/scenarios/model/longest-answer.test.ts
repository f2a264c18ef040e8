import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { JsonObject } from '../../../src/contract/message.ts'
import { verifies } from '../../support/verifies.ts'
import { openSegno } from '../library/support/open-segno.ts'

/** A provider that refuses everything, and keeps what it was asked. */
async function refusing() {
  const bodies: JsonObject[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      if (text !== '') bodies.push(JSON.parse(text) as JsonObject)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end('{"error":{"type":"invalid_request_error","message":"no"}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies }
}

/** The longest answer a request allows, under whatever name its provider has for it. */
function longest(body: JsonObject): unknown {
  const { generationConfig, options } = body as Record<string, Record<string, unknown> | undefined>
  const named = ['max_tokens', 'max_output_tokens', 'max_completion_tokens'].map((name) => body[name])
  return [...named, generationConfig?.['maxOutputTokens'], options?.['num_predict']].find((one) => one !== undefined)
}

const EFFORTS = [undefined, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const MODELS: [provider: string, model: string][] = [
  ['anthropic', 'claude-haiku-4-5'],
  ['anthropic', 'claude-sonnet-4-20250514'],
  ['anthropic', 'claude-3-haiku-20240307'],
  ['anthropic', 'claude-opus-4-6'],
  ['anthropic', 'claude-sonnet-5-5'],
  ['anthropic', 'claude-of-tomorrow'],
  ['anthropic', 'somebody-elses'],
  ['anthropic', 'claude-haiku-5-5'],
  ['anthropic', 'claude-fable-5-1'],
  ['openai', 'gpt-6.1-sol'],
  ['openai', 'gpt-5.4'],
  ['openai', 'gpt-4o'],
  ['openai-chat', 'gpt-5.4'],
  ['openai-chat', 'gpt-4o'],
  ['deepseek', 'deepseek-v4-flash'],
  ['google', 'gemini-2.5-flash'],
  ['google', 'gemini-3.8-flash'],
  ['google', 'gemini-4-argon'],
  ['openrouter', 'anthropic/claude-sonnet-5.5'],
  ['xai', 'grok-4.7'],
  ['mistral', 'mistral-large-latest'],
  ['groq', 'openai/gpt-oss-120b'],
  ['openai-compatible', 'gpt-6.1-sol'],
  ['openai-compatible', 'llama'],
  ['ollama', 'llama'],
]
const SERVICES = ['OPENROUTER', 'XAI', 'MISTRAL', 'GROQ']
const OUTPUTS = [1500, 4000, 30_000]

verifies('GOV-22', 'the longest answer that is set aside is the longest answer a provider is asked for', async () => {
  const { url, bodies } = await refusing()
  const wanted = MODELS.flatMap(([provider, model]) =>
    EFFORTS.map((effort, at) => ({ provider, model, effort, maxOutput: OUTPUTS[at % OUTPUTS.length] ?? 0 })),
  )
  const entries = Object.fromEntries(
    wanted.map((one, at) => [`m${at}`, { ...one, prices: { input: 1_000_000, output: 1_000_000 } }]),
  )
  const keys = ['ANTHROPIC', 'OPENAI', 'DEEPSEEK', 'GOOGLE_GENERATIVE_AI', 'OPENAI_COMPATIBLE', ...SERVICES]
  const segno = await openSegno({
    builtInTools: false,
    env: {
      ...Object.fromEntries(
        keys.flatMap((key) => [
          [`${key}_API_KEY`, 'k'],
          [`${key}_BASE_URL`, url],
        ]),
      ),
      OLLAMA_BASE_URL: url,
      SEGNO_MODEL: 'scripted',
      SEGNO_MODELS: JSON.stringify(entries),
      SEGNO_LIMITS_RETRIES: '0',
    },
  })
  await segno.budgets.set(LOCAL_OWNER, LOCAL_OWNER.id, { dailyTokens: 1_000_000_000, dailyCost: 1_000_000_000 })
  for (const [at, { provider, model, effort, maxOutput }] of wanted.entries()) {
    const { id } = await segno.createSession({ model: `m${at}` })
    bodies.length = 0
    await (
      await segno.streamRequest(id, 'hello')
    ).completion
    const what = `${provider}:${model} with effort ${effort}`
    expect(bodies, what).toHaveLength(1)
    // Some packages know that a model gives less.
    expect(longest(bodies[0] ?? {}), what).toBe(model.startsWith('claude-3') ? Math.min(4096, maxOutput) : maxOutput)
  }
})
