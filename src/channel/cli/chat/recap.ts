import type { WireEvent } from '../../../client/index.ts'
import { textOf } from '../../../contract/message.ts'
import type { CitedView } from '../../../contract/views.ts'
import { plain, type Paint } from './paint.ts'
import { oneLine } from './safe-text.ts'
import { createTranscript } from './transcript.ts'

export interface Recap {
  /** the user's messages, for the input history */
  readonly said: readonly string[]
  /** the last exchange; empty if it is still going on */
  readonly last: readonly WireEvent[]
  /** the event to follow from */
  readonly after: number
}

/** From the last events of a session. `openStart`, the start of an open round, may be further back. */
export function recapOf(events: readonly WireEvent[], openStart?: WireEvent): Recap {
  const end = events.at(-1)?.seq ?? 0
  const said = events.flatMap((event) =>
    event.type === 'message.user' && !event.data.own ? [textOf(event.data.content)] : [],
  )
  if (openStart) return { said, last: [], after: openStart.seq - 1 }
  const start = events.findLastIndex((event) => event.type === 'round.started')
  const begun = events[start]
  if (begun === undefined) return { said, last: [], after: end }
  const last = events.slice(start)
  const isOver = last.some((event) => event.type === 'round.ended' && event.requestId === begun.requestId)
  return isOver ? { said, last, after: end } : { said, last: [], after: begun.seq - 1 }
}

interface Shown {
  readonly event: WireEvent
  readonly cited: readonly CitedView[]
}

export function recapText(title: string, last: readonly Shown[], width: () => number, paint: Paint): string {
  let text = `\n── ${oneLine(title)} ──\n`
  const write = (part: string): void => void (text += part)
  const past = createTranscript({ width, paint: plain, write, outputs: () => false, echoes: () => true })
  if (last.length > 0) text += '\n'
  for (const { event, cited } of last) past.see({ kind: 'event', event }, cited)
  return text.replaceAll(/.+/g, (line) => paint('dim', line))
}
