import type { Invocation } from '../contract/invocation.ts'
import { delay } from '../lib/delay.ts'
import type { InvocationStore } from '../store/index.ts'

/** Whoever waits here for something to happen to an invocation. */
export interface Waiters {
  /** What it is once `isDone`, the time is over or the signal aborts; undefined if it is gone. */
  until(
    invocation: Pick<Invocation, 'tenant' | 'id'>,
    ms: number,
    isDone: (now: Invocation) => boolean,
    signal?: AbortSignal,
  ): Promise<Invocation | undefined>
  /** Tells of a change that was made here. */
  tell(invocation: Pick<Invocation, 'id'>): void
}

/** How often one that another process may work on is looked at. */
const LOOK_MS = 500

export function createWaiters(store: Pick<InvocationStore, 'invocation'>): Waiters {
  const waiting = new Map<string, Set<AbortController>>()

  function enter(id: string, change: AbortController): () => void {
    const those = waiting.get(id) ?? new Set()
    waiting.set(id, those.add(change))
    return () => {
      those.delete(change)
      if (those.size === 0 && waiting.get(id) === those) waiting.delete(id)
    }
  }

  return {
    async until({ tenant, id }, ms, isDone, signal) {
      const end = performance.now() + ms
      for (;;) {
        const left = end - performance.now()
        const change = new AbortController()
        // Before it is read, so that nothing is missed that happens meanwhile.
        const leave = enter(id, change)
        try {
          const now = await store.invocation(tenant, id)
          if (!now || isDone(now) || left <= 0 || signal?.aborted) return now
          const stop = signal ? AbortSignal.any([signal, change.signal]) : change.signal
          await delay(Math.min(LOOK_MS, left), stop)
        } finally {
          leave()
        }
      }
    },
    tell({ id }) {
      for (const change of waiting.get(id) ?? []) change.abort()
    },
  }
}
