import type { JobData, JobKind } from '../contract/job.ts'
import type { Clock } from '../lib/clock.ts'
import type { Coordinator } from '../round/index.ts'
import type { InboxStore, Job, JobStore, ListStore, MoneyStore, UpkeepStore } from '../store/index.ts'
import { rewriteInQuiet, type Quiet } from './rewrite-in-quiet.ts'

const EVERY_MS = 1000
const LEASE_MS = 60_000
/** The first wait before a stored job is tried again; doubled each time, up to the longest. */
const RETRY_MS = 5000
const LONGEST_RETRY_MS = 60 * 60 * 1000
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
  /** how often a stored job is tried before it is parked; not given: however often */
  readonly attempts?: number
  /** Called with the kind of work that failed; of what goes on failing once. It is tried again. */
  onFailure?(kind: string): void
  /** Called when a stored job was parked; `reason` has no content. */
  onParked?(kind: string, reason: string): void
}

export function startJobs(
  store: InboxStore & ListStore & MoneyStore & JobStore & UpkeepStore,
  coordinator: Coordinator,
  clock: Clock,
  options: JobOptions = {},
): Jobs {
  const rewrite = options.quiet && rewriteInQuiet(store, clock, { ...options.quiet, isIdle: () => isIdle(coordinator) })
  let running: Promise<void> | undefined
  let failedBefore = new Set<string>()
  let failed = new Set<string>()

  /**
   * What fails keeps nothing else from being done: then it is said why, in a word. `what` tells one piece of work of this
   * kind from the others.
   */
  async function attempt(kind: string, work: () => unknown, what = ''): Promise<string | undefined> {
    try {
      await work()
      return undefined
    } catch (error) {
      const name = `${kind} ${what}`
      failed.add(name)
      if (!failedBefore.has(name)) options.onFailure?.(kind)
      return wordOf(error)
    }
  }

  /** What is done with a stored job of each kind. It may be done twice: the process can die before it is finished. */
  const handlers: { readonly [Kind in JobKind]: (told: JobData[Kind]) => Promise<unknown> } = {
    purge: ({ sessionId }) => store.purge(sessionId),
  }

  async function stored(): Promise<void> {
    for (let job; (job = await store.takeJob(clock.now(), LEASE_MS));) await perform(job)
  }

  async function perform({ id, kind, payload, attempts }: Job): Promise<void> {
    const most = options.attempts ?? Infinity
    const park = async (reason: string): Promise<void> => {
      await store.parkJob(id, clock.now(), reason)
      options.onParked?.(kind, reason)
    }
    if (!Object.hasOwn(handlers, kind)) return park('UNKNOWN_KIND')
    // It was begun often enough and never came to an end, not even to a bad one: it may be what ends the process.
    if (attempts > most) return park('NEVER_ENDED')
    const why = await attempt(kind, () => handlers[kind as JobKind](payload as never), String(id))
    if (why === undefined) await store.finishJob(id)
    else if (attempts === most) await park(why)
    else await store.retryJob(id, clock.now() + Math.min(RETRY_MS * 2 ** (attempts - 1), LONGEST_RETRY_MS))
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

  /** What is looked at each time, in this order. */
  const works: Readonly<Record<string, () => unknown>> = {
    jobs: stored,
    expiry: expire,
    rescue: () => coordinator.rescue(),
    sweep: () => coordinator.sweep(),
    claims: forgetClaims,
    reservations: () => store.forgetReservations(clock.now() - RESERVATION_MS, RESERVATIONS_AT_A_TIME),
    ...(rewrite && { rewrite }),
  }

  function tick(): Promise<void> {
    running ??= (async () => {
      failedBefore = failed
      failed = new Set()
      try {
        for (const [name, work] of Object.entries(works)) await attempt(name, work)
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

function isIdle(coordinator: Coordinator): boolean {
  const { running, queued } = coordinator.stats()
  return running + queued === 0
}

/** Of an error what has no content: its code, or else what kind of error it is. */
function wordOf(error: unknown): string {
  return error instanceof Error ? ([(error as { code?: unknown }).code, error.name].find(isWord) ?? 'Error') : 'Error'
}

const isWord = (word: unknown): word is string => typeof word === 'string' && /^[A-Za-z]\w{0,63}$/.test(word)
