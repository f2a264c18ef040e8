import { delay } from '../lib/delay.ts'

/** How long sessions of the same node are gathered into one request. */
const GATHER_MS = 20
export const WAKE_SESSIONS = 500
/** Sessions queued for one node at most; it finds the rest itself. */
const MOST_WAITING = 5000

/** Wakes other nodes, with many sessions per request; it tries twice only, because owners also poll every second. */
export function createWaker(send: (nodeId: string, sessions: readonly string[]) => Promise<unknown>) {
  const waiting = new Map<string, Set<string>>()

  async function wakeNode(nodeId: string, sessions: Set<string>): Promise<void> {
    await delay(GATHER_MS)
    while (sessions.size > 0) {
      const some = [...sessions].slice(0, WAKE_SESSIONS)
      for (const one of some) sessions.delete(one)
      await send(nodeId, some).catch(() => send(nodeId, some))
    }
  }

  return (nodeId: string, sessionId: string): void => {
    const already = waiting.get(nodeId)
    if (already) {
      if (already.size < MOST_WAITING) already.add(sessionId)
      return
    }
    const sessions = new Set([sessionId])
    waiting.set(nodeId, sessions)
    void wakeNode(nodeId, sessions)
      .catch(() => {})
      .finally(() => waiting.delete(nodeId))
  }
}
