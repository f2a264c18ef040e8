import { delay } from '../lib/delay.ts'
import type { Dropped, Frame } from './frame.ts'
import { readLines, type RelayLine } from './relay-lines.ts'

export interface RelayOptions {
  /** Opens the owner's stream of a session from now on; rejects if the owner cannot be reached. */
  connect(owner: string, sessionId: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** an owner that sends nothing for this long is considered gone */
  readonly silenceMs?: number
  /** the first and the longest wait before the next attempt */
  readonly retryMs?: readonly [first: number, most: number]
}

export interface RelayListener {
  attached(): void
  told(frame: Exclude<Frame, Dropped>): void
  stored(head: number): void
  broken(): void
}

const SILENCE_MS = 6000
const RETRY_MS = [100, 5000] as const

/** Passes on the owner's stream of a session, and reconnects when it breaks, until `signal` aborts. */
export async function relayFrom(
  { connect, silenceMs = SILENCE_MS, retryMs: [first, most] = RETRY_MS }: RelayOptions,
  owner: string,
  sessionId: string,
  signal: AbortSignal,
  to: RelayListener,
): Promise<void> {
  for (let wait = first; !signal.aborted; wait = Math.min(wait * 2, most)) {
    const attempt = new AbortController()
    const stop = (): void => attempt.abort()
    signal.addEventListener('abort', stop)
    const silence = setTimeout(stop, silenceMs)
    const since = performance.now()
    try {
      for await (const lines of readLines(await connect(owner, sessionId, attempt.signal))) {
        silence.refresh()
        for (const line of lines) if (!signal.aborted) tell(line, to)
        if (signal.aborted) break
      }
    } catch {
      // Events stored meanwhile are in the log.
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      attempt.abort()
    }
    if (signal.aborted) return
    to.broken()
    // After a long connection the first wait is short again.
    if (performance.now() - since > most) wait = first
    // Nodes that lost the same owner should not all come back at once.
    await delay(wait * (0.5 + Math.random()), signal)
  }
}

function tell(line: RelayLine, to: RelayListener): void {
  if (line.kind === 'attached') to.attached()
  else if (line.kind === 'stored') to.stored(line.head)
  else to.told(line)
}
