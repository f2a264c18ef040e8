import type { Context } from 'hono'
import type { Actor } from '../../contract/actor.ts'
import { Problem } from '../../contract/problem.ts'
import { actorKey } from '../../lib/key-of.ts'
import type { StreamOptions, WireStream } from '../../stream/index.ts'
import { headersOf } from './headers.ts'
import type { AppEnv, Services } from './route.ts'
import type { SseOptions } from './sse-pump.ts'
import { alreadySent, sseOutgoing, sseResponse } from './sse-response.ts'

export interface StreamQuery extends Omit<StreamOptions, 'workspaceId' | 'outputs' | 'signal'> {
  /** if given, the actor may read the session */
  readonly workspaceId?: string
  readonly outputs?: boolean
  /** cancel the round when the client leaves */
  readonly cancelOnLeave?: boolean
}

/** `readQuery` is called once a stream may be opened, so that otherwise no message is sent. */
export type StreamOut = (c: Context<AppEnv>, readQuery: () => StreamQuery | Promise<StreamQuery>) => Promise<Response>

/** Counts a stream or a waiting request; throws if there are too many. */
export function takePlace({ streams, settings }: Services, c: Context<AppEnv>): () => void {
  const leave = streams.take(actorKey(c.get('actor')))
  if (leave) return leave
  const why = `${settings.maxStreams} streams are open (limit MAX_STREAMS); try again soon. Nothing was sent.`
  throw new Problem('RATE_LIMITED', why, { retryAfterMs: 5000 })
}

/** All streams go through here: counted, limited, and ended when their key is revoked. */
export function createStreamOut(services: Services): StreamOut {
  const { sessions, rounds, metrics, log } = services

  return async (c, readQuery) => {
    if (c.req.method === 'HEAD') throw new Problem('VALIDATION_ERROR', 'Open a stream with GET or POST, not HEAD.')
    const leave = takePlace(services, c)
    try {
      return await open(c, await readQuery(), leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  async function open(c: Context<AppEnv>, asked: StreamQuery, leave: () => void): Promise<Response> {
    const actor = c.get('actor')
    const workspaceId = asked.workspaceId ?? (await sessions.get(actor, asked.sessionId)).workspaceId
    const { batches, options } = prepare({ ...asked, workspaceId }, actor, c.get('until'), leave)
    const outgoing = c.env?.outgoing
    if (!outgoing) return sseResponse(batches, options)
    sseOutgoing(outgoing, headersOf(c, services.settings.corsOrigins), batches, options)
    return alreadySent(c)
  }

  /** Holds no reference to the request, because a stream may be open for days. */
  function prepare(
    { cancelOnLeave = false, workspaceId, outputs = false, ...query }: StreamQuery & { workspaceId: string },
    actor: Actor,
    until: AbortSignal | undefined,
    leave: () => void,
  ): { batches: WireStream; options: SseOptions } {
    const { sessionId, requestId } = query
    const stop = new AbortController()
    const revoked = (): void => stop.abort()
    until?.addEventListener('abort', revoked, { once: true })
    // The key may have been revoked while the message was stored.
    if (until?.aborted) revoked()
    const batches = services.openStream({ ...query, workspaceId, outputs, signal: stop.signal })
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
    return { batches, options: { stop, onClose } }
  }
}
