import type { Context } from 'hono'
import { delay } from '../../lib/delay.ts'
import type { Accepted } from '../../round/index.ts'
import type { AppEnv, Services } from './route.ts'

/** Waits until a round ends or rests, or for `waitMs`. True if the client left. */
export async function waitForRest(
  services: Services,
  c: Context<AppEnv>,
  { sessionId, requestId, after }: Accepted,
  waitMs: number,
): Promise<boolean> {
  const stop = new AbortController()
  const { signal: gone } = c.req.raw
  const until = c.get('until')
  const leave = (): void => stop.abort()
  gone.addEventListener('abort', leave, { once: true })
  until?.addEventListener('abort', leave, { once: true })
  if (gone.aborted || until?.aborted) leave()
  const rest = (async () => {
    const query = {
      sessionId,
      requestId,
      dialect: 'native',
      endsAtRest: true,
      workspaceId: '',
      outputs: false,
    } as const
    const start = after === undefined ? {} : { after }
    for (;;) {
      const batches = services.openStream({ ...query, ...start, signal: stop.signal })
      for await (const _ of batches);
      // A reader that was dropped because of too much text waits on.
      if (!batches.dropped.aborted) return
    }
  })()
  try {
    await Promise.race([rest, delay(waitMs, stop.signal)])
  } finally {
    stop.abort()
    await rest
    gone.removeEventListener('abort', leave)
    until?.removeEventListener('abort', leave)
  }
  return gone.aborted
}
