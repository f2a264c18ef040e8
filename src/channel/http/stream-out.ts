import type { Context } from 'hono'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { actorKey } from '../../lib/key-of.ts'
import { paceOf, type StreamOptions, type WireStream } from '../../stream/index.ts'
import { headersOf } from './headers.ts'
import type { AppEnv, Services } from './route.ts'
import type { SseOptions } from './sse-pump.ts'
import { alreadySent, sseOutgoing, sseResponse } from './sse-response.ts'

export interface StreamWish extends Omit<StreamOptions, 'projectId' | 'outputs' | 'signal'> {
  /** of the session; who gives it has just been let into the session */
  readonly workspaceId?: string
  readonly outputs?: boolean
  /** the client asked for the round to be cancelled when it goes away */
  readonly cancelOnLeave?: boolean
}

/** What to stream, found out once there is a place for the stream: a message that is refused one is not sent. */
export type StreamOut = (c: Context<AppEnv>, wish: () => StreamWish | Promise<StreamWish>) => Promise<Response>

/** A place for somebody who reads or waits, or a Problem. */
export function takePlace({ streams, settings }: Services, c: Context<AppEnv>): () => void {
  const leave = streams.take(actorKey(c.get('actor')))
  if (leave) return leave
  const why = `${settings.maxStreams} streams are open (limit MAX_STREAMS); try again soon. Nothing was sent.`
  throw new Problem('RATE_LIMITED', why, { retryAfterMs: 5000 })
}

/** Every stream leaves through here: counted, bounded, and ended when the key it was asked with stops being one. */
export function createStreamOut(services: Services): StreamOut {
  const { sessions, rounds, metrics, log } = services

  return async (c, findWish) => {
    if (c.req.method === 'HEAD') throw new Problem('VALIDATION_ERROR', 'Open a stream with GET or POST, not HEAD.')
    const leave = takePlace(services, c)
    try {
      return await open(c, await findWish(), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  async function open(c: Context<AppEnv>, asked: StreamWish, leave: () => void): Promise<Response> {
    const actor = c.get('actor')
    const workspaceId = asked.workspaceId ?? (await sessions.get(actor, asked.sessionId)).workspaceId
    const { batches, options } = prepare({ ...asked, workspaceId }, actor, c.get('until'), leave)
    const outgoing = c.env?.outgoing
    if (!outgoing) return sseResponse(batches, options)
    sseOutgoing(outgoing, headersOf(c, services.settings.corsOrigins), batches, options)
    return alreadySent(c)
  }

  /** It knows nothing of the request, so that a stream that is open for days keeps nothing of it. */
  function prepare(
    { cancelOnLeave = false, workspaceId: projectId, outputs = false, ...wish }: StreamWish & { workspaceId: string },
    actor: Actor,
    until: AbortSignal | undefined,
    leave: () => void,
  ): { batches: WireStream; options: SseOptions } {
    const { sessionId, requestId } = wish
    const stop = new AbortController()
    const revoked = (): void => stop.abort()
    until?.addEventListener('abort', revoked, { once: true })
    // It may have stopped being one while the message was stored.
    if (until?.aborted) revoked()
    const batches = services.openStream({ ...wish, projectId, outputs, signal: stop.signal })
    batches.dropped.addEventListener('abort', () => {
      metrics.dropped()
      log.info('reader_dropped', { sessionId, actorId: actor.id })
    })
    const onClose = (isWhole: boolean): void => {
      leave()
      until?.removeEventListener('abort', revoked)
      if (cancelOnLeave && !isWhole && requestId !== undefined)
        rounds.cancel(actor, sessionId, requestId).catch(() => {})
    }
    return { batches, options: { stop, dropped: batches.dropped, paceMs: paceOf(wish.dialect), onClose } }
  }
}
