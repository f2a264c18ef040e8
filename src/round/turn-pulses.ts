import type { Pulse } from '../contract/pulse.ts'

/** Numbers the deltas of one turn: each says at which character of its text it begins. */
export function turnPulses(send: (pulse: Pulse) => void, sessionId: string, requestId: string, turn: number) {
  let offsets = { text: 0, reasoning: 0 }
  let args = new Map<string, number>()
  return {
    delta(kind: 'text' | 'reasoning', text: string): void {
      send({ type: 'delta', sessionId, requestId, turn, kind, offset: offsets[kind], text })
      offsets[kind] += text.length
    },
    args(callId: string, name: string, text: string): void {
      const offset = args.get(callId) ?? 0
      send({ type: 'delta', sessionId, requestId, turn, kind: 'args', callId, name, offset, text })
      args.set(callId, offset + text.length)
    },
    reset(reason: string): void {
      offsets = { text: 0, reasoning: 0 }
      args = new Map()
      send({ type: 'reset', sessionId, requestId, turn, reason })
    },
  }
}
