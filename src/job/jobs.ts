import type { Json } from '../contract/message.ts'
import type { Clock } from '../lib/clock.ts'
import type { Coordinator } from '../round/index.ts'
import type { InboxStore, JobStore, ListStore, MoneyStore, UpkeepStore } from '../store/index.ts'
import { rewriteInQuiet, type Quiet } from './rewrite-in-quiet.ts'

const EVERY_MS = 1000
const LEASE_MS = 60_000
const RETRY_MS = 5000
/** So many that they go faster than they come, so few that nobody waits for it. */
const CLAIMS_AT_A_TIME = 2000
const RESERVATIONS_AT_A_TIME = 2000
/** What is settled is looked at for an hour; a second day is for who looks for a mistake. */
const RESERVATION_MS = 2 * 24 * 60 * 60 * 1000

/** Background work: jobs that were stored with what caused them, and what only time brings about. */
export interface Jobs {
  /** Does what is due now; resolves when it is done. */
  tick(): Promise<void>
  stop(): Promise<void>
}

export interface JobOptions {
  /** how long a claim is kept; not given: for ever */
  readonly claimMs?: number
  /** when an old file may be written anew; not given: never */
  readonly quiet?: Omit<Quiet, 'isIdle'>
  /** Called with the kind of work that failed; of what goes on failing once. It is tried again. */
  onFailure?(kind: string): void
}

export function startJobs(
  store: InboxStore & ListStore & MoneyStore & JobStore & UpkeepStore,
  coordinator: Coordinator,
  clock: Clock,
  options: JobOptions = {},
): Jobs {
  const rewrite = options.quiet && rewriteInQuiet(store, clock, { ...options.quiet, isIdle })
  let running: Promise<void> | undefined
  let failedBefore = new Set<string>()
  let failed = new Set<string>()

  function isIdle(): boolean {
    const { running: rounds, queued } = coordinator.stats()
    return rounds === 0 && queued === 0
  }

  /** What fails keeps nothing else from being done. `what` tells one piece of work of this kind from the others. */
  async function attempt(kind: string, work: () => Promise<unknown>, what = ''): Promise<boolean> {
    try {
      await work()
      return true
    } catch {
      const name = `${kind} ${what}`
      failed.add(name)
      if (!failedBefore.has(name)) options.onFailure?.(kind)
      return false
    }
  }

  async function stored(): Promise<void> {
    for (;;) {
      const job = await store.takeJob(clock.now(), LEASE_MS)
      if (!job) return
      const { id, kind, payload, attempts } = job
      if (await attempt(kind, () => perform(kind, payload), String(id))) await store.finishJob(id)
      else await store.retryJob(id, clock.now() + RETRY_MS * attempts)
    }
  }

  async function perform(kind: string, payload: Json): Promise<void> {
    if (kind === 'purge') await store.purge((payload as { sessionId: string }).sessionId)
    else throw new Error(`no job is called ${kind}`)
  }

  /** A round that waits is not in anybody's memory: what expired is found here. */
  async function expire(): Promise<void> {
    for (const sessionId of await store.dueRounds(clock.now()))
      await attempt('expiry', () => coordinator.wake(sessionId), sessionId)
  }

  /**
   * A message that is sent again later than this is a new one. What is decided or settled is in the log as such, and the
   * log takes neither a second time: without its claim a second try is refused or comes to nothing.
   */
  async function forgetClaims(): Promise<void> {
    if (options.claimMs !== undefined) await store.forgetClaims(clock.now() - options.claimMs, CLAIMS_AT_A_TIME)
  }

  function tick(): Promise<void> {
    running ??= (async () => {
      failedBefore = failed
      failed = new Set()
      try {
        await attempt('jobs', stored)
        await attempt('expiry', expire)
        await attempt('rescue', () => coordinator.rescue())
        await attempt('sweep', async () => coordinator.sweep())
        await attempt('claims', forgetClaims)
        await attempt('reservations', () =>
          store.forgetReservations(clock.now() - RESERVATION_MS, RESERVATIONS_AT_A_TIME),
        )
        if (rewrite) await attempt('rewrite', rewrite)
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
