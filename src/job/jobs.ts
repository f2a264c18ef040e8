import type { Json } from '../contract/message.ts'
import type { Clock } from '../lib/clock.ts'
import type { Coordinator } from '../round/index.ts'
import type { Store } from '../store/index.ts'

const EVERY_MS = 1000
const LEASE_MS = 60_000
const RETRY_MS = 5000

/** Background work: jobs that were stored with what caused them, and what only time brings about. */
export interface Jobs {
  /** Does what is due now; resolves when it is done. */
  tick(): Promise<void>
  stop(): Promise<void>
}

export function startJobs(store: Store, coordinator: Coordinator, clock: Clock): Jobs {
  let running: Promise<void> | undefined

  async function work(): Promise<void> {
    for (;;) {
      const job = await store.takeJob(clock.now(), LEASE_MS)
      if (!job) return
      try {
        await perform(job.kind, job.payload)
        await store.finishJob(job.id)
      } catch {
        await store.retryJob(job.id, clock.now() + RETRY_MS * job.attempts)
      }
    }
  }

  async function perform(kind: string, payload: Json): Promise<void> {
    if (kind === 'purge') await store.purge((payload as { sessionId: string }).sessionId)
    else throw new Error(`no job is called ${kind}`)
  }

  /** A round that waits is not in anybody's memory: what expired is found here. */
  async function expire(): Promise<void> {
    const now = clock.now()
    const due = (await store.approvals({ status: 'pending' })).filter((approval) => approval.expiresAt <= now)
    for (const sessionId of new Set(due.map((approval) => approval.sessionId))) await coordinator.wake(sessionId)
  }

  function tick(): Promise<void> {
    running ??= (async () => {
      try {
        await work()
        await expire()
        await coordinator.rescue()
        coordinator.sweep()
      } catch {
        // A store that cannot write now is asked again at the next tick.
      } finally {
        running = undefined
      }
    })()
    return running
  }

  const timer = setInterval(() => void tick(), EVERY_MS)
  timer.unref()
  return {
    tick,
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
