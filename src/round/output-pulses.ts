import type { Call } from '../session/index.ts'
import { roundOf, type Work } from './work.ts'

const PACE_MS = 50
const MOST_CHARS = 16_000

export interface OutputPulses {
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
