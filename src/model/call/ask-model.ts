import { textOf } from '../../contract/message.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { newId } from '../../lib/id.ts'
import type { Model } from '../model.ts'
import { callModel, type CallOptions } from './call-model.ts'
import { mostOf, type Most } from './most-usage.ts'

export interface Asked {
  readonly text: string
  readonly tokens: number
  /** micro-dollars */
  readonly cost: number
}

/** One question to a model that is given no tools and no conversation. Throws with a reason where it does not answer. */
export async function askModel(
  model: Model,
  question: { readonly system: string; readonly text: string },
  options: Pick<CallOptions, 'patience' | 'answerChars' | 'breakers' | 'signal'>,
): Promise<Asked> {
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

/** The most that question can cost: no text has more tokens than bytes. */
export function mostCost(model: Model, text: string): Most {
  return mostOf(model, Buffer.byteLength(text) + WRAPPING)
}

/** What providers add around a message. */
const WRAPPING = 100
