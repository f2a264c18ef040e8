import type { Purpose } from '../../contract/event.ts'
import { textOf, type Usage } from '../../contract/message.ts'
import type { StopReason } from '../../contract/outcome.ts'
import type { Prompt } from '../../contract/prompt.ts'
import { newId } from '../../lib/id.ts'
import type { Model } from '../model.ts'
import type { ModelRequest } from '../render/render.ts'
import { callModel, type CallOptions } from './call-model.ts'
import type { Failure } from './failure.ts'
import { maxUsageOf, type MaxUsage } from './max-usage.ts'

export interface Question {
  readonly system: string
  readonly text: string
  /** what Segno itself asks for */
  readonly purpose?: Purpose
  /** tokens of the answer with its thoughts, if fewer than the model's own limit */
  readonly maxOutput?: number
}

/** `cost` is in micro-dollars; with `failure` the text is what came before it. */
export interface Reply {
  readonly text: string
  readonly usage: Usage
  readonly cost: number
  readonly stopReason: StopReason
  readonly failure?: Failure
}

/** Asks a model one question without tools, conversation and retries. A failure is a result and is never thrown. */
export async function askModel(
  model: Model,
  question: Question,
  options: Pick<CallOptions, 'patience' | 'answerChars' | 'breakers' | 'windows' | 'signal'>,
): Promise<Reply> {
  const request = requestOf(question)
  const { parts, usage, cost, stopReason, failure } = await callModel(
    { ...model, maxOutput: maxOutputOf(model, question) },
    {
      onDelta: () => {},
      onArgs: () => {},
      onRetry: async () => false,
      fallback: () => undefined,
      request: async () => request,
    },
    { ...options, firstCall: 1, oneCall: false, newCallId: newId, retries: 0, retryBaseMs: 0, retryAfterMs: 0 },
  )
  return { text: textOf(parts), usage, cost, stopReason, ...(failure && { failure }) }
}

/** The most that this question can use, counting every byte as a token. */
export function maxUsageOfQuestion(model: Model, question: Question): MaxUsage {
  const bytes = Buffer.byteLength(question.system) + Buffer.byteLength(question.text)
  return maxUsageOf({ ...model, maxOutput: maxOutputOf(model, question) }, bytes + WRAPPING)
}

/** Tokens that providers add around a message. */
const WRAPPING = 100

const maxOutputOf = (model: Model, { maxOutput = model.maxOutput }: Question): number =>
  Math.min(maxOutput, model.maxOutput)

function requestOf({ system, text, purpose }: Question): ModelRequest {
  const prompt: Prompt = {
    parts: [{ layer: 'system', id: 'system', text: system, hash: '' }],
    messages: [{ role: 'user', content: [{ type: 'text', text }], eventIds: [] }],
    notes: [],
  }
  const id = newId()
  return {
    prompt,
    tools: [],
    mayUseTools: false,
    sessionId: id,
    requestId: id,
    files: new Map(),
    ...(purpose && { purpose }),
  }
}
