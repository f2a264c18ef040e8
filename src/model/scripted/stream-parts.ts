import type {
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { promptChars } from './read-prompt.ts'
import type { ScriptedCall, ScriptedStop, ScriptedTurn, ScriptedUsage } from './script.ts'
import { errorOf } from './scripted-error.ts'
import { splitBySize, splitInto } from './split-text.ts'

const DELTA_CHARS = 16
const CHARS_PER_TOKEN = 4

const FINISH: { readonly [S in ScriptedStop]: LanguageModelV4FinishReason['unified'] } = {
  end_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  content_filter: 'content-filter',
}

export interface PartSequence {
  readonly parts: readonly LanguageModelV4StreamPart[]
  /** after the last part: the stream closes, or hangs until it is aborted */
  readonly end: 'close' | 'hang'
}

/** What stands for `{{message}}` and `{{params}}`. */
export interface Filled {
  readonly message: string
  readonly params?: string
}

/** All parts of a turn, including its fault. */
export function streamParts(turn: ScriptedTurn, filled: Filled, prompt: LanguageModelV4Prompt): PartSequence {
  const parts: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }]
  pushSaid(parts, 'reasoning', turn, filled)
  pushSaid(parts, 'text', turn, filled)
  turn.sources?.forEach((source, at) => parts.push({ type: 'source', sourceType: 'url', id: String(at), ...source }))
  turn.files?.forEach(({ mediaType, data }) => parts.push({ type: 'file', mediaType, data: { type: 'data', data } }))
  turn.calls?.forEach((call, at) => pushCall(parts, call, call.id ?? `call_${at + 1}`, turn.argDeltas ?? 1))

  const { fault } = turn
  if (!fault) {
    parts.push(finish(turn, parts, prompt))
    return { parts, end: 'close' }
  }
  parts.length = lengthAfterDeltas(parts, fault.afterDeltas ?? 0)
  switch (fault.kind) {
    case 'cut':
      return { parts, end: 'close' }
    case 'stall':
      return { parts, end: 'hang' }
    case 'error':
    case 'overloaded':
      parts.push({ type: 'error', error: errorOf(fault) })
      return { parts, end: 'close' }
  }
}

export function isDelta(
  part: LanguageModelV4StreamPart | undefined,
): part is Extract<LanguageModelV4StreamPart, { delta: string }> {
  return part !== undefined && 'delta' in part
}

function pushSaid(
  parts: LanguageModelV4StreamPart[],
  kind: 'reasoning' | 'text',
  turn: ScriptedTurn,
  filled: Filled,
): void {
  const said = turn[kind]
  if (!said) return
  parts.push({ type: `${kind}-start`, id: kind })
  for (const delta of deltas(said, turn, filled)) parts.push({ type: `${kind}-delta`, id: kind, delta })
  parts.push({ type: `${kind}-end`, id: kind })
}

function pushCall(parts: LanguageModelV4StreamPart[], call: ScriptedCall, id: string, argDeltas: number): void {
  const input = call.rawArgs ?? JSON.stringify(call.args ?? {})
  parts.push({ type: 'tool-input-start', id, toolName: call.name })
  for (const delta of splitInto(input, argDeltas)) parts.push({ type: 'tool-input-delta', id, delta })
  parts.push({ type: 'tool-input-end', id })
  parts.push({ type: 'tool-call', toolCallId: id, toolName: call.name, input })
}

function deltas(template: string, turn: ScriptedTurn, filled: Filled): string[] {
  // A function, because a message may contain "$&".
  const text = template.replaceAll(/\{\{(message|params)\}\}/g, (_, name: keyof Filled) => filled[name] ?? '')
  return splitBySize(text, turn.deltaChars ?? DELTA_CHARS)
}

function finish(
  turn: ScriptedTurn,
  parts: readonly LanguageModelV4StreamPart[],
  prompt: LanguageModelV4Prompt,
): LanguageModelV4StreamPart {
  const stop = turn.stopReason ?? (turn.calls?.length ? 'tool_use' : 'end_turn')
  return {
    type: 'finish',
    usage: providerUsage(turn.usage ?? estimate(parts, prompt)),
    finishReason: { unified: FINISH[stop], raw: stop },
  }
}

function estimate(parts: readonly LanguageModelV4StreamPart[], prompt: LanguageModelV4Prompt): ScriptedUsage {
  let output = 0
  for (const part of parts) if (isDelta(part)) output += part.delta.length
  return { input: Math.ceil(promptChars(prompt) / CHARS_PER_TOKEN), output: Math.ceil(output / CHARS_PER_TOKEN) }
}

function providerUsage(usage: ScriptedUsage): LanguageModelV4Usage {
  const { input, output, cachedRead, cachedWrite, reasoning } = usage
  return {
    inputTokens: {
      total: input,
      noCache: Math.max(0, input - (cachedRead ?? 0) - (cachedWrite ?? 0)),
      cacheRead: cachedRead,
      cacheWrite: cachedWrite,
    },
    outputTokens: { total: output, text: Math.max(0, output - (reasoning ?? 0)), reasoning },
  }
}

function lengthAfterDeltas(parts: readonly LanguageModelV4StreamPart[], deltaCount: number): number {
  if (deltaCount === 0) return 1
  let seen = 0
  const at = parts.findIndex((part) => isDelta(part) && ++seen === deltaCount)
  return at === -1 ? parts.length : at + 1
}
