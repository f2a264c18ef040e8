import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { textOf, type Dict } from '../strict-provider/values.ts'
import type { Wire } from './wires.ts'

/** Says things in a format, piece by piece: what each returns is to be sent. */
export interface Speaker {
  begin(): string
  text(...deltas: readonly string[]): string
  thought(...deltas: readonly string[]): string
  /** A call of `look` and the first pieces of its arguments; `callEnd` completes it. */
  call(...pieces: readonly string[]): string
  args(...pieces: readonly string[]): string
  callEnd(): string
  end(): string
  error(status: number): string
  readonly keepAlive: string
}

/** What an answer is said to have cost, in tokens. */
export const USED = { input: 100, output: 20 } as const

export function speaker(wire: Wire, body: Dict, id: string): Speaker {
  const encoder = wire.encoder({ model: textOf(body['model']), body, id })
  let open: 'text' | 'reasoning' | undefined
  let called = false
  const say = (...parts: readonly LanguageModelV4StreamPart[]): string =>
    parts.map((part) => encoder.part(part)).join('')
  const close = (): string => {
    const end = open ? say({ type: `${open}-end`, id: open }) : ''
    open = undefined
    return end
  }
  function go(kind: 'text' | 'reasoning', deltas: readonly string[]): string {
    let said = ''
    if (open !== kind) {
      said = close() + say({ type: `${kind}-start`, id: kind })
      open = kind
    }
    return said + deltas.map((delta) => say({ type: `${kind}-delta`, id: kind, delta })).join('')
  }
  const args = (...pieces: readonly string[]): string =>
    pieces.map((delta) => say({ type: 'tool-input-delta', id: `call_${id}`, delta })).join('')

  return {
    keepAlive: encoder.keepAlive || ': keep-alive\n\n',
    begin: () => say({ type: 'stream-start', warnings: [] }),
    text: (...deltas) => go('text', deltas),
    thought: (...deltas) => go('reasoning', deltas),
    call(...pieces) {
      called = true
      return close() + say({ type: 'tool-input-start', id: `call_${id}`, toolName: 'look' }) + args(...pieces)
    },
    args,
    callEnd: () => say({ type: 'tool-input-end', id: `call_${id}` }),
    end: () => close() + say(finish(called)),
    error: (status) => encoder.error(status),
  }
}

function finish(called: boolean): LanguageModelV4StreamPart {
  return {
    type: 'finish',
    finishReason: { unified: called ? 'tool-calls' : 'stop', raw: called ? 'tool_calls' : 'stop' },
    usage: {
      inputTokens: { total: USED.input, noCache: USED.input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: USED.output, text: USED.output, reasoning: 0 },
    },
  }
}
