import type { Context } from 'hono'
import { Problem } from '../../contract/problem.ts'
import { paceOf, type Cursor, type Dialect, type Wire } from '../../stream/index.ts'
import type { AppEnv, Services } from './route.ts'
import { sseResponse } from './sse-response.ts'

export interface StreamWish {
  readonly sessionId: string
  /** of the session; who gives it has just been let into the session */
  readonly workspaceId?: string
  readonly dialect: Dialect
  readonly outputs?: boolean
  readonly cursor?: Cursor
  /** only this round, and end with it */
  readonly requestId?: string
  /** the number after which that round begins, if it is known */
  readonly after?: number
  /** the stream is also over when its round rests */
  readonly endsAtRest?: boolean
  /** the client asked for the round to be cancelled when it goes away */
  readonly cancelOnLeave?: boolean
}

export type StreamOut = (c: Context<AppEnv>, wish: StreamWish) => Promise<Response>

/** Every stream leaves through here: counted, bounded, and ended when the key it was asked with stops being one. */
export function createStreamOut(services: Services): StreamOut {
  const { settings, sessions, rounds, metrics, streams } = services

  return async (c, { cancelOnLeave, workspaceId, outputs = false, ...wish }) => {
    const { sessionId, requestId } = wish
    const actor = c.get('actor')
    const projectId = workspaceId ?? (await sessions.get(actor, sessionId)).workspaceId
    if (streams.active >= settings.maxStreams)
      throw new Problem(
        'RATE_LIMITED',
        `${settings.maxStreams} streams are open (limit MAX_STREAMS); try again soon.`,
        {
          retryAfterMs: 5000,
        },
      )
    const stop = new AbortController()
    const until = c.get('until')
    const revoked = (): void => stop.abort()
    until?.addEventListener('abort', revoked, { once: true })
    // It may have stopped being one while the message was stored.
    if (until?.aborted) revoked()
    const batches = services.openStream({ ...wish, projectId, outputs, signal: stop.signal })
    let finished = false
    async function* watched(): AsyncGenerator<Wire[]> {
      for await (const batch of batches) {
        if (batch.at(-1)?.event === 'dropped') metrics.dropped()
        yield batch
      }
      finished = true
    }
    streams.active += 1
    return sseResponse(watched(), {
      stop,
      dropped: batches.dropped,
      paceMs: paceOf(wish.dialect),
      onClose() {
        streams.active -= 1
        until?.removeEventListener('abort', revoked)
        if (cancelOnLeave && !finished && requestId !== undefined)
          rounds.cancel(actor, sessionId, requestId).catch(() => {})
      },
    })
  }
}
