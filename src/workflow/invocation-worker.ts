import { hasEnded, type Invocation } from '../contract/invocation.ts'
import type { Clock } from '../lib/clock.ts'
import { delay } from '../lib/delay.ts'
import { untilStored, type InvocationStore, type NotTaken } from '../store/index.ts'
import type { createInvocationSteps } from './invocation-steps.ts'
import type { Settling } from './settle-invocation.ts'

interface WorkerOptions {
  readonly clock: Clock
  /** Whether this process may still act for the cluster. */
  mayAct(): boolean
  /** Says that work failed which is tried again; no content. */
  onFailure(code: string): void
  /** how many are worked on at once */
  readonly atOnce: number
}

export interface InvocationWorker {
  /** Works on one that this process has taken; never rejects. */
  work(taken: Invocation): Promise<void>
  /** Keeps a place for one that is being stored, until it is worked on or let go; false if there is none for it. */
  keepPlace(stored: Placed): boolean
  letGo(stored: Placed): void
  /** One that has ended and is due, as this process takes it; undefined if it has no room or works on it already. */
  takenFor(due: Invocation, leaseMs: number): Invocation | undefined
  /** Looks at once for what is due. */
  kick(): void
  /** Stops what is being done with it here. */
  interrupt(id: string): void
  /** `everyMs`: how often it looks for what is due; by default every second */
  start(everyMs?: number): { stop(): Promise<void> }
}

type Placed = Pick<Invocation, 'id' | 'tenant' | 'automationId'>

interface Running {
  readonly taken: Invocation
  readonly stop: AbortController
  readonly done: Promise<void>
}

const EVERY_MS = 1000
/** The wait after a fault of the store. */
const FAULT_MS = 5000
/** One tenant, or one workflow, never takes all places. */
const SHARE = 0.75
/** How long whoever is being called may still answer when Segno stops. */
const STOP_MS = 1500

/** Takes what is due and works on it, in every process of a cluster. */
export function createInvocationWorker(
  store: Pick<InvocationStore, 'takeInvocation' | 'freeInvocations'>,
  { step, leaseMs }: Pick<ReturnType<typeof createInvocationSteps>, 'step' | 'leaseMs'>,
  settle: Settling['settle'],
  { clock, mayAct, onFailure, atOnce }: WorkerOptions,
): InvocationWorker {
  const share = Math.max(1, Math.floor(atOnce * SHARE))
  /** One may be here twice, if its lease ended because the clock jumped. */
  const running = new Set<Running>()
  const kept = new Map<string, Placed>()
  let isStarted = false
  let isLeaving = false
  let taking: Promise<void> | undefined
  let again = false

  const failed = (error: unknown): void => onFailure(error instanceof Error ? error.name : 'Error')

  async function perform(taken: Invocation, signal: AbortSignal): Promise<void> {
    try {
      await step({ taken, signal, isLeaving: () => isLeaving })
    } catch (error) {
      failed(error)
      // Otherwise it would be looked at again only when its lease is over.
      const soon = (now: Invocation) =>
        now.dueAt === undefined ? undefined : { ...now, dueAt: clock.now() + FAULT_MS }
      await untilStored(
        () => settle(taken, soon),
        () => isLeaving,
      ).catch(() => {})
    }
  }

  function work(taken: Invocation): Promise<void> {
    const stop = new AbortController()
    const done = perform(taken, stop.signal).finally(() => {
      running.delete(one)
      kick()
    })
    kept.delete(taken.id)
    const one: Running = { taken, stop, done }
    running.add(one)
    return done
  }

  /** Whoever has their share already leaves the rest to others. */
  function notTaken(): NotTaken {
    const placed = [...kept.values(), ...Array.from(running, ({ taken }) => taken)]
    const full = (name: (of: Placed) => string): string[] =>
      [...Map.groupBy(placed, name)].flatMap(([one, all]) => (all.length >= share ? [one] : []))
    return { tenants: full(({ tenant }) => tenant), automations: full(({ automationId }) => automationId) }
  }

  const those = (id: string): readonly Running[] => [...running].filter(({ taken }) => taken.id === id)

  const hasRoom = (): boolean => isStarted && !isLeaving && running.size + kept.size < atOnce

  function keepPlace(stored: Placed): boolean {
    const { tenants, automations } = notTaken()
    const hasPlace = hasRoom() && !tenants.includes(stored.tenant) && !automations.includes(stored.automationId)
    if (hasPlace) kept.set(stored.id, stored)
    return hasPlace
  }

  async function takeAll(): Promise<void> {
    while (hasRoom() && mayAct()) {
      const taken = await store.takeInvocation(clock.now(), leaseMs, notTaken())
      if (!taken) return
      void work(taken)
    }
  }

  function kick(): void {
    if (!hasRoom()) return
    again = true
    taking ??= (async () => {
      try {
        while (again) {
          again = false
          await takeAll()
        }
      } catch (error) {
        failed(error)
      } finally {
        taking = undefined
      }
    })()
  }

  return {
    work,
    keepPlace,
    letGo({ id }) {
      if (kept.delete(id)) kick()
    },
    takenFor(due, ms) {
      const { id, dueAt = Infinity } = due
      const now = clock.now()
      if (!hasEnded(due) || dueAt > now || those(id).length > 0 || !hasRoom() || !mayAct()) return undefined
      return { ...due, dueAt: now + ms }
    },
    kick,
    interrupt: (id) => those(id).forEach(({ stop }) => stop.abort()),
    start(everyMs = EVERY_MS) {
      const begin = (): void => {
        isStarted = true
        kick()
      }
      void store.freeInvocations(clock.now()).catch(failed).finally(begin)
      const timer = setInterval(kick, everyMs)
      timer.unref()
      return {
        async stop() {
          isLeaving = true
          clearInterval(timer)
          await taking
          const all = [...running]
          const over = Promise.all(all.map(({ done }) => done))
          const patience = new AbortController()
          await Promise.race([over, delay(STOP_MS, patience.signal)])
          patience.abort()
          for (const { stop } of all) stop.abort()
          await over
        },
      }
    },
  }
}
