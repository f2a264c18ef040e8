import { textOf } from '../../contract/message.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { newId } from '../../lib/id.ts'
import type { Model } from '../model.ts'
import { callModel, type CallOptions } from './call-model.ts'
import { maxUsageOf, type MaxUsage } from './max-usage.ts'

/**
 * Asks a model one question without tools and conversation; throws with a reason if it does not answer. The cost is in
 * micro-dollars.
 */
export async function askModel(
  model: Model,
  question: { readonly system: string; readonly text: string },
  options: Pick<CallOptions, 'patience' | 'answerChars' | 'breakers' | 'signal'>,
): Promise<{ text: string; tokens: number; cost: number }> {
  const { system, text } = question
  const prompt: Prompt = {
    layers: [{ name: 'system', text: system, hash: '' }],
    messages: [{ role: 'user', content: [{ type: 'text', text }], eventIds: [] }],
  }
  const id = newId()
  const request = { prompt, tools: [], mayUseTools: false, sessionId: id, requestId: id, files: new Map() }
  const result = await callModel(
    model,
    {
      onDelta: () => {},
      onArgs: () => {},
      onRetry: async () => false,
      fallback: () => undefined,
      request: async () => request,
    },
    { ...options, firstCall: 1, oneCall: false, newCallId: newId, retries: 0, retryBaseMs: 0, retryAfterMs: 0 },
  )
  if (result.failure) throw new Error(`The model ${model.key} did not answer: ${result.failure.reason}.`)
  return { text: textOf(result.parts), tokens: result.usage.input + result.usage.output, cost: result.cost }
}

/** The most that question can cost, counting every byte as a token. */
export function maxCost(model: Model, text: string): MaxUsage {
  return maxUsageOf(model, Buffer.byteLength(text) + WRAPPING)
}

/** Tokens that providers add around a message. */
const WRAPPING = 100
