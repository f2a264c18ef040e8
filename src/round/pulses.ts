import type { Pulse } from '../contract/pulse.ts'
import type { Call } from '../session/index.ts'
import { roundOf, type Work } from './work.ts'

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

const PACE_MS = 50
const MOST_CHARS = 16_000

interface OutputPulses {
  say(text: string): void
  /** The result has it all: what is still to be shown, or said later, is not. */
  end(): void
}

/** Shows what a running call puts out, in a few pieces a second however many it comes in. */
export function outputPulses({ callId, name, turn }: Call, work: Work): OutputPulses {
  const { session, hands } = work
  const { requestId } = roundOf(work)
  let waiting = ''
  let offset = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    const clean = hands.redact(waiting)
    // What may be half of a secret is not shown before it is clear that it is none.
    const end = clean.length - hands.redact.begun(clean)
    const text = clean.slice(0, end)
    waiting = clean.slice(end)
    if (text === '') return
    hands.pulse({ type: 'delta', sessionId: session.id, requestId, turn, kind: 'output', callId, name, offset, text })
    offset += text.length
  }

  return {
    say(text) {
      if (isOver) return
      waiting += text
      if (waiting.length >= MOST_CHARS) send()
      else if (waiting !== '') timer ??= setTimeout(send, PACE_MS)
    },
    end() {
      isOver = true
      clearTimeout(timer)
    },
  }
}
