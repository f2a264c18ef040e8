import type { Context } from 'hono'
import { later } from '../../lib/later.ts'
import type { Accepted } from '../../round/index.ts'
import type { AppEnv, Services } from './route.ts'

/** Waits until a round ends, rests, or waiting has taken too long; true if the client went away first. */
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
    const wish = { sessionId, requestId, dialect: 'native', endsAtRest: true, projectId: '', outputs: false } as const
    const start = after === undefined ? {} : { after }
    for (let isBehind = true; isBehind;) {
      isBehind = false
      // A flood of text may be more than is kept for a reader; who waits for the end waits on.
      for await (const batch of services.openStream({ ...wish, ...start, signal: stop.signal }))
        isBehind = batch.at(-1)?.event === 'dropped'
    }
  })()
  try {
    await Promise.race([rest, later(waitMs, stop.signal)])
  } finally {
    stop.abort()
    await rest
    gone.removeEventListener('abort', leave)
    until?.removeEventListener('abort', leave)
  }
  return gone.aborted
}
