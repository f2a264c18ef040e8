import type { WireEvent, WireEventOf } from '../../../src/client/index.ts'
import type { EventType } from '../../../src/contract/event.ts'

/** Events for tests, numbered in the order in which they are made, a second apart. */
export function someLog(firstSeq = 1) {
  let seq = firstSeq - 1
  return <T extends EventType>(type: T, requestId: string | null, data: Partial<WireEventOf<T>['data']>): WireEvent => {
    seq += 1
    return {
      seq,
      type,
      id: `event-${seq}`,
      sessionId: 's',
      requestId,
      turn: null,
      at: new Date(seq * 1000).toISOString(),
      data,
    } as unknown as WireEvent
  }
}

const USAGE = { input: 10, output: 5 }

/** A round that asks a model once, calls a tool and answers. */
export function answeredRound(event: ReturnType<typeof someLog>, requestId: string, words = 'hello'): WireEvent[] {
  const said = (turn: number, text: string, final: boolean): WireEvent =>
    event('message.assistant', requestId, { turn, content: [{ type: 'text', text }], final, usage: USAGE })
  const callId = `${requestId}-call`
  return [
    event('round.started', requestId, { requestId, model: 'm', protocol: 'unified', mode: 'act' }),
    event('message.user', requestId, { content: [{ type: 'text', text: words }] }),
    event('turn.started', requestId, { turn: 1, model: 'm' }),
    said(1, 'Let me see.', false),
    event('turn.ended', requestId, { turn: 1, stopReason: 'tool_use', usage: USAGE, cost: 3 }),
    event('tool.call', requestId, { callId, turn: 1, name: 'calculator', args: { expression: '6*7' } }),
    event('tool.started', requestId, { callId, effect: 'pure' }),
    event('tool.result', requestId, { callId, outcome: 'ok', effect: 'none', chars: 2, durationMs: 4, cost: 0 }),
    event('turn.started', requestId, { turn: 2, model: 'm' }),
    said(2, '42.', true),
    event('turn.ended', requestId, { turn: 2, stopReason: 'end_turn', usage: USAGE }),
    event('round.ended', requestId, { finishReason: 'complete', usage: { input: 20, output: 10 }, cost: 3 }),
  ]
}
