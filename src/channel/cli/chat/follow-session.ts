import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../contract/problem.ts'
import type { Reached } from '../reach.ts'
import { readFrames, type ChatFrame } from './frames.ts'

export interface Following {
  readonly after: number
  readonly outputs: boolean
  readonly signal: AbortSignal
  /** The connection broke, and why; it is tried again. */
  lost(why: string): void
  /** It is there again. */
  back(): void
  /** who hears nothing for this long hears nobody */
  readonly silenceMs?: number
}

/** Pings come every 15 seconds. */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 5000

/** No other try helps. */
const FINAL: readonly string[] = ['NOT_FOUND', 'KEY_REQUIRED', 'KEY_INVALID', 'PERMISSION_DENIED', 'CONFLICT']

/** A session from a number on, for as long as it is wanted: after a lost connection it goes on where it was. */
export async function* followSession(
  { stream }: Reached,
  sessionId: string,
  { after, outputs, signal, lost, back, silenceMs = SILENCE_MS }: Following,
): AsyncGenerator<ChatFrame, void> {
  let last = after
  let waitMs = FIRST_WAIT_MS
  let isLost = false
  while (!signal.aborted) {
    const stop = new AbortController()
    const both = AbortSignal.any([signal, stop.signal])
    let silence = setTimeout(() => stop.abort(), silenceMs)
    let why = 'The connection was closed.'
    try {
      const path = `/api/sessions/${encodeURIComponent(sessionId)}/events?after=${last}${outputs ? '&outputs=1' : ''}`
      const response = await stream(path, both)
      if (isLost) back()
      isLost = false
      const alive = (): void => {
        waitMs = FIRST_WAIT_MS
        clearTimeout(silence)
        silence = setTimeout(() => stop.abort(), silenceMs)
      }
      for await (const frame of readFrames(response.body as ReadableStream<Uint8Array>, both, alive)) {
        if (frame.kind === 'event') last = frame.event.seq
        yield frame
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof Problem && FINAL.includes(error.code)) throw error
      if (error instanceof Problem) why = error.message
    } finally {
      clearTimeout(silence)
      stop.abort()
    }
    if (signal.aborted) return
    if (!isLost) lost(why)
    isLost = true
    await sleep(waitMs, undefined, { signal }).catch(() => {})
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}
