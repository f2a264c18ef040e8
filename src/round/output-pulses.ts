import type { Call } from '../session/index.ts'
import { roundOf, type Work } from './work.ts'

const PACE_MS = 50
const MOST_CHARS = 16_000

/** Shows what a running call puts out, in a few pieces a second however many it comes in. */
export function outputPulses({ callId, name, turn }: Call, work: Work): (text: string) => void {
  const { session, hands } = work
  const { requestId } = roundOf(work)
  let waiting = ''
  let offset = 0
  let timer: NodeJS.Timeout | undefined

  function send(): void {
    clearTimeout(timer)
    timer = undefined
    const text = hands.redact(waiting)
    waiting = ''
    hands.pulse({ type: 'delta', sessionId: session.id, requestId, turn, kind: 'output', callId, name, offset, text })
    offset += text.length
  }

  return (text) => {
    waiting += text
    if (waiting.length >= MOST_CHARS) send()
    else if (waiting !== '') timer ??= setTimeout(send, PACE_MS)
  }
}
