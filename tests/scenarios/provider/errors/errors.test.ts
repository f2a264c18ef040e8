import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { systemClock } from '../../../../src/lib/clock.ts'
import { CAUSES } from '../../../../src/model/call/causes.ts'
import {
  callModel,
  createBreakers,
  createLearnedWindows,
  type Model,
  type ModelRequest,
} from '../../../../src/model/index.ts'
import { connections } from '../../../../src/model/providers/connections.ts'
import { wireSettings } from '../../../support/faulty-provider/wires.ts'
import { verifies } from '../../../support/verifies.ts'
import { anthropic } from './anthropic.ts'
import { groq, mistral, openrouter, vllm, xai } from './compatible.ts'
import { KINDS, type ErrorCase, type Family } from './error-case.ts'
import { google } from './google.ts'
import { ollama } from './ollama.ts'
import { deepseek, openai, openaiChat } from './openai.ts'

const FAMILIES: Readonly<Record<string, Family>> = {
  anthropic,
  'OpenAI (Responses)': openai,
  'OpenAI (Chat Completions)': openaiChat,
  deepseek,
  google,
  ollama,
  vLLM: vllm,
  OpenRouter: openrouter,
  Mistral: mistral,
  Groq: groq,
  xAI: xai,
}
const PATIENT = { connectMs: 20_000, firstContentMs: 20_000, contentGapMs: 20_000 }
const WINDOW = 10_000_000

const request: ModelRequest = {
  prompt: {
    parts: [],
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }], eventIds: [] }],
    notes: [],
  },
  tools: [],
  mayUseTools: false,
  sessionId: 's',
  requestId: 'r',
  files: new Map(),
}

/** Answers every request with the error whose number its path begins with. */
const served: ErrorCase[] = []
const server = createServer((asked, response) => {
  const { status, headers, body } = served[Number(asked.url?.split('/')[1])] as ErrorCase
  const isPage = typeof body === 'string'
  response.writeHead(status, { 'content-type': isPage ? 'text/html' : 'application/json', ...headers })
  response.end(isPage ? body : JSON.stringify(body))
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
})

/** One call through the provider's own package, and what would come next. */
async function callOf({ wire }: Family, error: ErrorCase) {
  const settings = wireSettings(`${url}/${served.push(error) - 1}`)
  const model: Model = {
    key: 'm',
    provider: wire,
    modelId: 'some-model',
    window: WINDOW,
    maxOutput: 100,
    language: connections(settings).model({ provider: wire, modelId: 'some-model', window: WINDOW }),
  }
  const breakers = createBreakers({ failures: 1, openMs: 60_000 }, systemClock)
  const windows = createLearnedWindows({ keepMs: 60_000 }, systemClock)
  const waits: number[] = []
  const { failure } = await callModel(
    model,
    {
      onDelta: () => {},
      onArgs: () => {},
      onRetry: async ({ waitMs, reason }) => {
        // Thoughts are left out at once; anything else is a retry.
        if (!reason.endsWith('left out')) waits.push(waitMs)
        return false
      },
      fallback: () => undefined,
      request: async () => request,
    },
    {
      firstCall: 1,
      oneCall: false,
      newCallId: () => 'c',
      patience: PATIENT,
      answerChars: 1000,
      retries: 1,
      retryBaseMs: 1,
      retryAfterMs: 60_000,
      breakers,
      windows,
      signal: new AbortController().signal,
    },
  )
  return { reason: failure?.reason, waits, isOut: breakers.open().has(wire), window: windows.of(model) }
}

for (const [name, family] of Object.entries(FAMILIES))
  describe(name, () => {
    for (const [kind, error] of Object.entries(family.cases))
      verifies('COO-6', `${kind}: the right sentence, tried again or not`, async () => {
        const { means, again, outage = false, window } = error
        const { waits, ...came } = await callOf(family, error)
        const reason = typeof means === 'string' ? CAUSES[means].reason : means.reason
        expect(came).toEqual({ reason, isOut: outage, window })
        expect(waits).toHaveLength(again === undefined ? 0 : 1)
        if (typeof again === 'number') expect(waits).toEqual([again])
      })
  })

verifies('COO-6', 'every provider is asked about everything', () => {
  for (const { cases } of Object.values(FAMILIES))
    expect(Object.keys(cases)).toEqual(expect.arrayContaining([...KINDS]))
})
