import type { Pulse } from '../contract/pulse.ts'
import type { Call } from '../session/index.ts'
import type { Deps } from './deps.ts'
import type { OwnedSession } from './owned-session.ts'
import { roundOf, type Work } from './work.ts'

/** Sends pulses while this process may act. */
export function pulsesOf({ mayAct, pulse }: Deps): (one: Pulse) => void {
  return (one) => {
    if (mayAct()) pulse(one)
  }
}

/** The deltas of one turn, each with its offset in the text. */
export function turnPulses(send: (pulse: Pulse) => void, session: OwnedSession, requestId: string, turn: number) {
  const sessionId = session.id
  let after = session.state.seq
  let offsets = { text: 0, reasoning: 0 }
  let args = new Map<string, number>()
  return {
    delta(kind: 'text' | 'reasoning', text: string): void {
      send({ type: 'delta', sessionId, requestId, turn, kind, offset: offsets[kind], text, after })
      offsets[kind] += text.length
    },
    args(callId: string, name: string, text: string): void {
      const offset = args.get(callId) ?? 0
      send({ type: 'delta', sessionId, requestId, turn, kind: 'args', callId, name, offset, text, after })
      args.set(callId, offset + text.length)
    },
    /** The turn starts again; `reason` is given if readers must forget the text so far. */
    again(reason?: string): void {
      after = session.state.seq
      offsets = { text: 0, reasoning: 0 }
      args = new Map()
      if (reason !== undefined) send({ type: 'reset', sessionId, requestId, turn, reason, after })
    },
  }
}

const PACE_MS = 50
const MOST_CHARS = 16_000

/** Shows the output of a running call, at most a few pieces a second. */
export function outputPulses({ callId, name, turn }: Call, work: Work) {
  const { session, deps } = work
  const { requestId } = roundOf(work)
  const pulse = pulsesOf(deps)
  let waiting = ''
  let offset = 0
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const after = session.state.seq

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    const clean = deps.redact(waiting)
    // The end is held back while it may be the beginning of a secret.
    const end = clean.length - deps.redact.begun(clean)
    const text = clean.slice(0, end)
    waiting = clean.slice(end)
    if (text === '') return
    const where = { sessionId: session.id, requestId, turn, callId, name, after }
    pulse({ type: 'delta', kind: 'output', offset, text, ...where })
    offset += text.length
  }

  return {
    say(text: string): void {
      if (isOver) return
      waiting += text
      if (waiting.length >= MOST_CHARS) send()
      else if (waiting !== '') timer ??= setTimeout(send, PACE_MS)
    },
    /** The result contains the rest. */
    end(): void {
      isOver = true
      clearTimeout(timer)
    },
  }
}
