import type { JobData, JobKind } from '../contract/job.ts'
import type { Clock } from '../lib/clock.ts'
import type { Coordinator } from '../round/index.ts'
import type { InboxStore, Job, JobStore, ListStore, MoneyStore, UpkeepStore } from '../store/index.ts'
import { rewriteInQuiet, type Quiet } from './rewrite-in-quiet.ts'

const EVERY_MS = 1000
/** A little less than `EVERY_MS`, so that a tick never comes just too early. */
const SWEEP_MS = 900
const LEASE_MS = 60_000
/** Doubled with each attempt up to `LONGEST_RETRY_MS`. */
const RETRY_MS = 5000
const LONGEST_RETRY_MS = 60 * 60 * 1000
/** Enough to keep up, but not so many that others wait. */
const CLAIMS_AT_A_TIME = 2000
const RESERVATIONS_AT_A_TIME = 2000
/** Done by one of all processes on a database. */
const SWEEPS = ['expiry', 'claims', 'reservations']
/** Quotas need an hour of settled reservations; the rest is for diagnosis. */
const RESERVATION_MS = 2 * 24 * 60 * 60 * 1000

export interface JobOptions {
  /** how long a claim is kept; by default forever */
  readonly claimMs?: number
  /** when an old file may be rewritten; by default never */
  readonly quiet?: Omit<Quiet, 'isIdle'>
  /** attempts before a stored job is parked; by default unlimited */
  readonly attempts?: number
  /** Called once per piece of work that keeps failing; it is retried. */
  onFailure?(kind: string): void
  /** Called when a stored job was parked; `reason` has no content. */
  onParked?(kind: string, reason: string): void
}

/** Background work: stored jobs and everything that is due by time. */
export function startJobs(
  store: InboxStore & ListStore & MoneyStore & JobStore & UpkeepStore,
  coordinator: Coordinator,
  clock: Clock,
  options: JobOptions = {},
) {
  const rewrite = options.quiet && rewriteInQuiet(store, clock, { ...options.quiet, isIdle: () => isIdle(coordinator) })
  let running: Promise<void> | undefined
  let failedBefore = new Set<string>()
  let failed = new Set<string>()

  /** Runs work without letting it throw, and returns an error code; `what` identifies it among work of its kind. */
  async function attempt(kind: string, work: () => unknown, what = ''): Promise<string | undefined> {
    try {
      await work()
      return undefined
    } catch (error) {
      const name = `${kind} ${what}`
      failed.add(name)
      if (!failedBefore.has(name)) options.onFailure?.(kind)
      return errorCode(error)
    }
  }

  /** A handler may run twice, because the process can die before the job is finished. */
  const handlers: { readonly [Kind in JobKind]: (payload: JobData[Kind]) => Promise<unknown> } = {
    purge: ({ sessionId }) => store.purge(sessionId),
    title: async ({ sessionId }) => (await store.session(sessionId)) && coordinator.tell(sessionId, { kind: 'title' }),
  }

  async function runStoredJobs(): Promise<void> {
    for (let job; (job = await store.takeJob(clock.now(), LEASE_MS));) await perform(job)
  }

  async function perform({ id, kind, payload, attempts }: Job): Promise<void> {
    const most = options.attempts ?? Infinity
    const park = async (reason: string): Promise<void> => {
      await store.parkJob(id, clock.now(), reason)
      options.onParked?.(kind, reason)
    }
    if (!Object.hasOwn(handlers, kind)) return park('UNKNOWN_KIND')
    // It was started often enough and never finished, so it may be what kills the process.
    if (attempts > most) return park('NEVER_ENDED')
    const why = await attempt(kind, () => handlers[kind as JobKind](payload as never), String(id))
    if (why === undefined) await store.finishJob(id)
    else if (attempts === most) await park(why)
    else await store.retryJob(id, clock.now() + Math.min(RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS))
  }

  /** Wakes sessions with due rounds, which may be in nobody's memory. */
  async function expire(whose: 'all' | 'mine'): Promise<void> {
    for (const sessionId of await store.dueRounds(clock.now(), whose))
      await attempt('expiry', () => coordinator.wake(sessionId), sessionId)
  }

  /** After this a repeated message is a new one; decisions and results are refused a second time by the log itself. */
  async function forgetClaims(): Promise<void> {
    if (options.claimMs !== undefined) await store.forgetClaims(clock.now() - options.claimMs, CLAIMS_AT_A_TIME)
  }

  /** The work of each tick in order; a sweep is told whether it is this process's turn. */
  const tasks: Readonly<Record<string, (isOurs: boolean) => unknown>> = {
    jobs: runStoredJobs,
    expiry: (isOurs) => expire(isOurs ? 'all' : 'mine'),
    rescue: () => coordinator.rescue(),
    sweep: () => coordinator.sweep(),
    claims: (isOurs) => isOurs && forgetClaims(),
    reservations: (isOurs) => isOurs && store.forgetReservations(clock.now() - RESERVATION_MS, RESERVATIONS_AT_A_TIME),
    ...(rewrite && { rewrite }),
  }

  /** Does everything that is due now. */
  function tick(): Promise<void> {
    running ??= (async () => {
      failedBefore = failed
      failed = new Set()
      try {
        let taken: readonly string[] = []
        await attempt('sweeps', async () => (taken = await store.takeSweeps(SWEEPS, SWEEP_MS)))
        for (const [name, work] of Object.entries(tasks)) await attempt(name, () => work(taken.includes(name)))
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
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
    },
  }
}

function isIdle(coordinator: Coordinator): boolean {
  const { running, queued } = coordinator.stats()
  return running + queued === 0
}

/** The error's code or name, which has no content. */
function errorCode(error: unknown): string {
  return error instanceof Error ? ([(error as { code?: unknown }).code, error.name].find(isCode) ?? 'Error') : 'Error'
}

const isCode = (word: unknown): word is string => typeof word === 'string' && /^[A-Za-z]\w{0,63}$/.test(word)
