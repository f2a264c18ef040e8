import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import type { StoredEvent } from '../../src/contract/event.ts'
import type { Segno } from '../../src/segno.ts'
import { shownText } from '../support/shown-text.ts'
import type { SseData } from '../support/sse-frames.ts'

/** Follows a session as a client does, and says at the end what it was shown wrongly. */
export function watchClient(segno: Segno, sessionId: string) {
  const stop = new AbortController()
  const faults: string[] = []
  const shown = shownText()
  /** the text of each turn of each round, as it stood when the round had ended */
  const rounds = new Map<string, ReadonlyMap<number, string>>()
  const waiting = new Map<string, () => void>()

  const watching = (async () => {
    const where = { sessionId, workspaceId: 'p', outputs: false, signal: stop.signal }
    for await (const wires of segno.stream(LOCAL_OWNER, { dialect: 'native', ...where })) {
      for (const { event, data: given } of wires) {
        const data = JSON.parse(typeof given === 'string' ? given : JSON.stringify(given)) as SseData
        faults.push(...shown.see({ event, data }))
        if (event !== 'round.ended') continue
        rounds.set(data.requestId ?? '', new Map(shown.turns))
        waiting.get(data.requestId ?? '')?.()
      }
    }
  })()

  return {
    /** Waits until the client has seen the end of a round. */
    async roundEnded(requestId: string): Promise<void> {
      if (!rounds.has(requestId)) await new Promise<void>((seen) => waiting.set(requestId, seen))
    },
    /** Leaves, and compares what was on the screen with what the log has. */
    async end(events: readonly StoredEvent[]): Promise<string[]> {
      stop.abort()
      await watching
      for (const [requestId, turns] of rounds)
        for (const [turn, text] of storedTexts(events, requestId)) {
          const seen = turns.get(turn) ?? ''
          if (seen !== text) faults.push(`turn ${turn} is shown as "${seen}" and stored as "${text}"`)
        }
      return faults
    },
  }
}

function storedTexts(events: readonly StoredEvent[], requestId: string): Map<number, string> {
  const texts = new Map<number, string>()
  for (const event of events) {
    if (event.type !== 'message.assistant' || event.requestId !== requestId) continue
    const text = event.data.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    texts.set(event.data.turn, (texts.get(event.data.turn) ?? '') + text)
  }
  return texts
}
