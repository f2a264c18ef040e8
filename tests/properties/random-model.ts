import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Life } from './life.ts'
import type { End, Say, SummaryPlan, TurnPlan } from './plan.ts'
import { never } from './stage.ts'

/** A provider that does what the plan says, well-behaved or not. */
export function randomModel(life: Life, key: string): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'random',
    modelId: key,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('only streams')),
    async doStream(options) {
      if (!life.acts('called the model')) return never()
      const { requestId, purpose } = ownOptions(options)
      const turn = purpose === undefined ? life.stage.nextTurn(requestId) : summaryTurn(life.stage.nextSummary())
      if (purpose === undefined) await life.stage.modelCalled(requestId, key, options)
      else life.stage.modelAsked(purpose)
      if (life.dead) return never()
      const error = ERRORS[turn.end]
      if (error) throw Object.assign(new Error(turn.end), error)
      return { stream: play(turn, life) }
    },
  }
}

/** How a provider says that it will not. */
const ERRORS: { readonly [E in End]?: object } = {
  refused: { statusCode: 401 },
  overloaded: { statusCode: 529 },
  'too long': { statusCode: 400, data: { error: { code: 'context_length_exceeded' } } },
  'bad thoughts': { statusCode: 400, data: { error: { code: 'invalid_encrypted_content' } } },
}

function ownOptions({ providerOptions }: LanguageModelV4CallOptions): { requestId: string; purpose?: string } {
  return (providerOptions?.['segno'] as { requestId: string; purpose?: string } | undefined) ?? { requestId: '' }
}

function summaryTurn(plan: SummaryPlan): TurnPlan {
  const saying = (text: string, end: End = 'done'): TurnPlan => ({ say: [{ kind: 'text', text }], end })
  switch (plan) {
    case 'good':
      return saying('So far.')
    case 'long':
      return saying('so much was said '.repeat(400))
    case 'empty':
      return { say: [], end: 'done' }
    case 'blank':
      return saying(' \n')
    case 'refused':
    case 'cut':
    case 'hang':
    case 'crash':
      return saying('So', plan)
  }
}

/** It never watches its abort signal: whoever calls it must not depend on that. */
function play({ say, end }: TurnPlan, life: Life): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] })
      say.forEach((one, at) => partsOf(one, at).forEach((part) => controller.enqueue(part)))
      if (end === 'crash') life.kill()
      if (end === 'error') controller.enqueue({ type: 'error', error: new Error('the provider broke') })
      if (FINISHES[end]) {
        controller.enqueue({ type: 'finish', usage: USAGE, finishReason: { unified: FINISHES[end], raw: undefined } })
      }
      if (end !== 'hang' && end !== 'crash') controller.close()
    },
  })
}

const FINISHES: { readonly [E in End]?: 'stop' | 'length' | 'content-filter' } = {
  done: 'stop',
  length: 'length',
  filter: 'content-filter',
}

const USAGE = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}

function partsOf(say: Say, at: number): LanguageModelV4StreamPart[] {
  // The same id for the first and the third call: a provider's ids cannot be trusted to be unique.
  const id = `part_${at % 2}`
  switch (say.kind) {
    case 'text':
      return [
        { type: 'text-start', id },
        ...Array.from(say.text, (delta) => ({ type: 'text-delta' as const, id, delta })),
        { type: 'text-end', id },
      ]
    case 'reasoning':
      return [
        { type: 'reasoning-start', id },
        { type: 'reasoning-delta', id, delta: say.text },
        { type: 'reasoning-end', id, ...(at === 0 && { providerMetadata: { anthropic: { signature: 'signed' } } }) },
      ]
    case 'call':
      return [
        { type: 'tool-input-start', id, toolName: say.name },
        { type: 'tool-input-delta', id, delta: say.args },
        { type: 'tool-input-end', id },
        { type: 'tool-call', toolCallId: id, toolName: say.name, input: say.args },
      ]
  }
}
