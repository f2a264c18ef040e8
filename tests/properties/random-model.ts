import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Life } from './life.ts'
import type { End, Say, TurnPlan } from './plan.ts'
import { never } from './stage.ts'

/** A provider that does what the plan says, well-behaved or not. */
export function randomModel(life: Life): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'random',
    modelId: 'random',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('only streams')),
    async doStream(options) {
      if (!life.acts('called the model')) return never()
      const requestId = requestIdOf(options)
      life.stage.modelCalled(requestId, options.prompt.at(-1)?.role)
      const turn = life.stage.nextTurn(requestId)
      if (turn.end === 'refused') throw Object.assign(new Error('no such key'), { statusCode: 401 })
      if (turn.end === 'overloaded') throw Object.assign(new Error('later'), { statusCode: 529 })
      return { stream: play(turn, life) }
    },
  }
}

function requestIdOf(options: LanguageModelV4CallOptions): string {
  return (options.providerOptions?.['segno'] as { requestId: string } | undefined)?.requestId ?? ''
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
