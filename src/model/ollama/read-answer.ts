import { parseObject } from '../../lib/parse-object.ts'
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { newId } from '../../lib/id.ts'

type Emit = (part: LanguageModelV4StreamPart) => void
type Fields = Readonly<Record<string, unknown>>

/** Parses an answer line by line and emits its parts; the returned function returns true at the end of the answer. */
export function readAnswer(emit: Emit, failed: (message: string) => Error): (line: string) => boolean {
  let open: { kind: 'text' | 'reasoning'; id: string } | undefined
  let blocks = 0
  const callIds = new Set<string>()

  function fail(message: string): true {
    emit({ type: 'error', error: failed(message) })
    return true
  }

  function close(): void {
    if (open) emit({ type: `${open.kind}-end`, id: open.id })
    open = undefined
  }

  function say(kind: 'text' | 'reasoning', delta: unknown): void {
    if (typeof delta !== 'string' || delta === '') return
    if (open?.kind !== kind) {
      close()
      open = { kind, id: String(blocks++) }
      emit({ type: `${kind}-start`, id: open.id })
    }
    emit({ type: `${kind}-delta`, id: open.id, delta })
  }

  /** Calls come whole, and most servers give them no id. */
  function call(given: unknown): void {
    const { id: givenId, function: called } = fieldsOf(given)
    const { name, arguments: args } = fieldsOf(called)
    const id = typeof givenId === 'string' && givenId !== '' && !callIds.has(givenId) ? givenId : `call_${newId()}`
    callIds.add(id)
    const toolName = typeof name === 'string' ? name : ''
    const input = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    emit({ type: 'tool-input-start', id, toolName })
    emit({ type: 'tool-input-delta', id, delta: input })
    emit({ type: 'tool-input-end', id })
    emit({ type: 'tool-call', toolCallId: id, toolName, input })
  }

  return (line) => {
    if (line.trim() === '') return false
    const event = parseObject(line)
    if (!event) return fail('Ollama sent a line that is no JSON object')
    if (event['error'] !== undefined) return fail(`Ollama failed while answering: ${errorText(event['error'])}`)
    const message = fieldsOf(event['message'])
    say('reasoning', message['thinking'])
    say('text', message['content'])
    const calls = message['tool_calls']
    if (Array.isArray(calls) && calls.length > 0) {
      close()
      calls.forEach(call)
    }
    if (event['done'] !== true) return false
    close()
    emit({ type: 'finish', finishReason: finishReason(event['done_reason'], callIds.size > 0), usage: usageOf(event) })
    return true
  }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

const errorText = (error: unknown): string => (typeof error === 'string' ? error.slice(0, 500) : 'no reason given')

function finishReason(raw: unknown, called: boolean): LanguageModelV4FinishReason {
  const reason = typeof raw === 'string' ? raw : undefined
  if (reason === 'length') return { unified: 'length', raw: reason }
  // Old servers give no reason.
  const ended = reason === undefined || reason === 'stop' ? 'stop' : 'other'
  return { unified: called ? 'tool-calls' : ended, raw: reason }
}

function usageOf(event: Fields) {
  const input = countOf(event['prompt_eval_count'])
  const output = countOf(event['eval_count'])
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
  }
}

const countOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
