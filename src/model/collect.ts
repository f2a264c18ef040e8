import { setImmediate } from 'node:timers/promises'
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { JsonObject, Usage } from '../contract/message.ts'
import type { StopReason } from '../contract/event.ts'
import { wholePairs } from './whole-pairs.ts'

/** What came out of one stream, in the order it came. */
export interface Collected {
  readonly blocks: Block[]
  usage: Usage | null
  stopReason: StopReason | null
  /** calls that were not taken: without a name, or never ended by the provider */
  ignoredCalls: number
  error: unknown
}

export type Block =
  | { readonly type: 'text' | 'reasoning'; text: string; meta?: unknown }
  | {
      readonly type: 'call'
      readonly callId: string
      readonly providerId: string
      readonly name: string
      readonly raw: string
    }

export interface OnDelta {
  (kind: 'text' | 'reasoning', text: string): void
}
export interface OnArgs {
  (callId: string, name: string, text: string): void
}

export interface CollectOptions {
  readonly onDelta: OnDelta
  readonly onArgs: OnArgs
  readonly onContent: () => void
  readonly newCallId: () => string
  /** stop reading at the first complete call */
  readonly oneCall: boolean
  readonly signal: AbortSignal
}

const BREATH_MS = 10
const PARTS_A_LOOK = 32

/**
 * Reads a stream to its end. Text is cleaned so that no half of a character leaves; arguments are buffered by the
 * provider's id and taken when the provider ends the call. A stream that ends without its finish has no stop reason.
 */
export async function collect(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  options: CollectOptions,
): Promise<Collected> {
  const collected: Collected = { blocks: [], usage: null, stopReason: null, ignoredCalls: 0, error: undefined }
  const open = new Map<string, { callId: string; name: string }>()
  const clean = { text: wholePairs(), reasoning: wholePairs() }
  const reader = stream.getReader()
  // A provider that does not watch its signal would leave the read hanging; cancelling the reader ends it.
  const leave = (): void => void reader.cancel().catch(() => {})
  options.signal.addEventListener('abort', leave)

  function add(kind: 'text' | 'reasoning', text: string): void {
    if (text === '') return
    const last = collected.blocks.at(-1)
    if (last?.type === kind) last.text += text
    else collected.blocks.push({ type: kind, text })
    options.onDelta(kind, text)
  }

  let breath = performance.now()
  let parts = 0
  try {
    for (;;) {
      const { done, value: part } = await reader.read()
      if (done) break
      // A stream that always has the next part at hand would never let a timer fire, not even its own deadline.
      if (++parts % PARTS_A_LOOK === 0 && performance.now() - breath > BREATH_MS) {
        await setImmediate()
        breath = performance.now()
      }
      switch (part.type) {
        case 'text-delta':
          options.onContent()
          add('text', clean.text.push(part.delta))
          break
        case 'reasoning-delta':
          options.onContent()
          add('reasoning', clean.reasoning.push(part.delta))
          break
        case 'text-end':
          add('text', clean.text.end())
          break
        case 'reasoning-end': {
          add('reasoning', clean.reasoning.end())
          const last = collected.blocks.at(-1)
          if (last?.type === 'reasoning' && part.providerMetadata) last.meta = part.providerMetadata
          break
        }
        case 'tool-input-start':
          options.onContent()
          open.set(part.id, { callId: options.newCallId(), name: part.toolName })
          options.onArgs((open.get(part.id) as { callId: string }).callId, part.toolName, '')
          break
        case 'tool-input-delta': {
          options.onContent()
          const call = open.get(part.id)
          if (call) options.onArgs(call.callId, call.name, part.delta)
          break
        }
        case 'tool-call': {
          options.onContent()
          const started = open.get(part.toolCallId)
          open.delete(part.toolCallId)
          if (part.toolName === '') {
            collected.ignoredCalls += 1
            break
          }
          collected.blocks.push({
            type: 'call',
            callId: started?.callId ?? options.newCallId(),
            providerId: part.toolCallId,
            name: part.toolName,
            raw: part.input,
          })
          if (options.oneCall) {
            collected.stopReason = 'tool_use'
            return collected
          }
          break
        }
        case 'finish':
          collected.usage = usageOf(part.usage)
          collected.stopReason = stopReasonOf(part.finishReason.unified)
          if (part.finishReason.unified === 'error') collected.error = new Error('the provider ended with an error')
          break
        case 'error':
          collected.error = part.error ?? new Error('the provider reported an error')
          break
        default:
          break
      }
      if (collected.error !== undefined) break
    }
  } catch (error) {
    collected.error = error ?? new Error('the stream failed')
  } finally {
    options.signal.removeEventListener('abort', leave)
    leave()
  }
  add('text', clean.text.end())
  collected.ignoredCalls += open.size
  return collected
}

type Unified = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other'

function stopReasonOf(unified: Unified): StopReason | null {
  switch (unified) {
    case 'stop':
    case 'other':
      return 'end_turn'
    case 'tool-calls':
      return 'tool_use'
    case 'length':
      return 'max_tokens'
    case 'content-filter':
      return 'content_filter'
    case 'error':
    case 'interrupted':
      return null
  }
}

function usageOf(usage: LanguageModelV4Usage): Usage | null {
  const { inputTokens, outputTokens } = usage
  if (inputTokens.total === undefined || outputTokens.total === undefined) return null
  return {
    input: inputTokens.total,
    output: outputTokens.total,
    ...(inputTokens.cacheRead && { cachedRead: inputTokens.cacheRead }),
    ...(inputTokens.cacheWrite && { cachedWrite: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning && { reasoning: outputTokens.reasoning }),
  }
}

/** Deeper than any tool needs, and far from where writing it as JSON again would exhaust the stack. */
const DEEPEST = 200

/** Empty arguments mean `{}`. Anything that is not a JSON object, or too deep a one, does not parse. */
export function parseArgs(raw: string): JsonObject | undefined {
  if (raw.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(raw)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    return isDeeper(value, DEEPEST) ? undefined : (value as JsonObject)
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
