import type { Client } from '../../src/client/index.ts'
import type { EventType } from '../../src/contract/event.ts'

/** Follows a session from now on; `told` resolves when an event of this type comes, which is when it is stored. */
export async function expecting(
  client: Client,
  sessionId: string,
  type: EventType,
): Promise<{ readonly told: Promise<void> }> {
  const { seq } = await client.session(sessionId)
  const stop = new AbortController()
  const live = Promise.withResolvers<void>()
  const frames = client.follow(sessionId, {
    after: seq,
    signal: stop.signal,
    onStatus: (status) => status === 'live' && live.resolve(),
  })
  const told = (async () => {
    for await (const some of frames)
      if (some.some((frame) => frame.kind === 'event' && frame.event.type === type)) return stop.abort()
    throw new Error(`${sessionId} was never told ${type}`)
  })()
  await live.promise
  return { told }
}

/** Does something and waits until an event of this type is stored. */
export async function until(
  client: Client,
  sessionId: string,
  type: EventType,
  act: () => Promise<unknown>,
): Promise<void> {
  const { told } = await expecting(client, sessionId, type)
  await Promise.all([act(), told])
}
