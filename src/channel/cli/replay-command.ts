import { later } from '../../lib/later.ts'
import { duration } from './chat/words.ts'
import { eventWords, indented } from './event-words.ts'
import { findSession } from './find-session.ts'
import type { Reached } from './reach.ts'
import { wireEvents, type WireEvent } from './wire-events.ts'

export interface ReplayFlags {
  readonly round?: string
  readonly speed?: number
  readonly outputs?: boolean
}

/** What is stored, piece by piece as it happened. It reads the log and does nothing else. */
export async function* replay(
  reached: Reached,
  id: string,
  { round, speed, outputs = false }: ReplayFlags,
  json: boolean,
  wait: (ms: number) => Promise<void> = later,
): AsyncGenerator<string> {
  const { id: sessionId } = await findSession(reached, id)
  let first: number | undefined
  let last = 0
  for await (const event of wireEvents(reached, sessionId, { outputs, ...(round !== undefined && { round }) })) {
    const at = Date.parse(event.at)
    first ??= at
    if (speed !== undefined && last > 0) await wait((at - last) / speed)
    last = at
    const text = json ? JSON.stringify(event) : told(event, at - first)
    if (text !== undefined) yield `${text}\n`
  }
}

function told(event: WireEvent, since: number): string | undefined {
  const words = eventWords(event)
  if (!words) return undefined
  const line = `${`+${duration(Math.max(since, 0))}`.padStart(10)}  [${event.seq}] ${words.line}`
  return words.text ? `${line}\n${indented(words.text)}` : line
}
