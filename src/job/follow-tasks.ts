import type { TaskWork } from '../contract/job.ts'
import type { Clock } from '../lib/clock.ts'
import type { Job, JobStore } from '../store/index.ts'

/** Asks about a task; resolves with when to ask again, or undefined when nothing is left to ask. */
export type AskTask = (task: TaskWork, signal: AbortSignal) => Promise<number | undefined>

/** How many are asked about at once, and of these how many at one server. */
const MOST = 16
const MOST_OF_ONE = 4
/** When to look again at one there was no place for. */
const NO_PLACE_MS = 1000
const FAULT_MS = 10_000

/** Asks about tasks beside the other jobs, because a server may take its time. */
export function followTasks(
  store: Pick<JobStore, 'finishJob' | 'retryJob'>,
  clock: Clock,
  ask: AskTask,
  onFault: () => void,
) {
  const asking = new Map<number, { readonly whose: string; readonly done: Promise<void> }>()
  const stopped = new AbortController()

  async function follow(id: number, task: TaskWork): Promise<void> {
    try {
      const again = await ask(task, stopped.signal)
      if (again === undefined) await store.finishJob(id)
      else await store.retryJob(id, clock.now() + again)
    } catch {
      onFault()
      // If this fails too, it is due again when its lease is over.
      await store.retryJob(id, clock.now() + FAULT_MS).catch(() => {})
    } finally {
      asking.delete(id)
    }
  }

  return {
    async take({ id, payload }: Pick<Job, 'id' | 'payload'>): Promise<void> {
      // Its lease ended while it was asked about.
      if (asking.has(id)) return
      const task = payload as TaskWork
      const whose = JSON.stringify([task.tenant, task.workspaceId, task.server])
      const ofOne = [...asking.values()].filter((one) => one.whose === whose).length
      if (stopped.signal.aborted || asking.size >= MOST || ofOne >= MOST_OF_ONE)
        return store.retryJob(id, clock.now() + NO_PLACE_MS)
      asking.set(id, { whose, done: follow(id, task) })
    },
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all([...asking.values()].map(({ done }) => done))
    },
  }
}
