import type { AutomationEvent } from '../contract/automation.ts'
import type { JobData, JobKind } from '../contract/job.ts'
import type { Clock } from '../lib/clock.ts'
import { createLanes } from '../lib/lanes.ts'
import type { Coordinator } from '../round/index.ts'
import type {
  InboxStore,
  InvocationStore,
  Job,
  JobStore,
  ListStore,
  MoneyStore,
  OutboxStore,
  StoredOutboxEvent,
  UpkeepStore,
} from '../store/index.ts'
import { followTasks, type AskTask } from './follow-tasks.ts'
import { rewriteInQuiet, type Quiet } from './rewrite-in-quiet.ts'

const EVERY_MS = 1000
/** A little less than all, so that a tick never comes just too early. */
const SWEEP_SHARE = 0.9
const LEASE_MS = 60_000
/** Doubled with each attempt up to `LONGEST_RETRY_MS`. */
const RETRY_MS = 5000
const LONGEST_RETRY_MS = 60 * 60 * 1000
/** Enough to keep up, but not so many that others wait. */
const CLAIMS_AT_A_TIME = 2000
const RESERVATIONS_AT_A_TIME = 2000
const OUTBOX_AT_A_TIME = 2000
const INVOCATIONS_AT_A_TIME = 2000
/** Of the events told in one tick. */
const TOLD_AT_A_TIME = 500
/** Whose events are told at once, and how long a tick waits for those that take long. */
const TENANTS_AT_ONCE = 16
const PATIENCE_MS = 500
/** Done by one of all processes on a database. */
const SWEEPS = ['expiry', 'claims', 'reservations', 'outbox', 'schedules', 'invocations']
/** Quotas need an hour of settled reservations; the rest is for diagnosis. */
const RESERVATION_MS = 2 * 24 * 60 * 60 * 1000
/** Whoever does not read on for a week hears no more of what happened before. */
const OUTBOX_MS = 7 * 24 * 60 * 60 * 1000

export interface JobOptions {
  /** how often it is looked for what is due; by default every second */
  readonly everyMs?: number
  /** how long a claim is kept; by default forever */
  readonly claimMs?: number
  /** when an old file may be rewritten; by default never */
  readonly quiet?: Omit<Quiet, 'isIdle'>
  /** attempts before a stored job is parked; by default unlimited */
  readonly attempts?: number
  /** Makes memories of what an answer wants remembered. */
  remember?(answer: JobData['remember']): Promise<void>
  /** Asks a server about a task that a call waits for. */
  askTask?: AskTask
  /** Tells automations what happened; an event it rejects for is told again. */
  tell?(event: AutomationEvent): Promise<void>
  /** Starts what is due by the clock. */
  tick?(): Promise<void>
  /** how long runs of workflows and deliveries are kept after their end; by default forever */
  readonly invocationMs?: number
  /** Called once per piece of work that keeps failing; it is retried. */
  onFailure?(kind: string): void
  /** Called when a stored job was parked; `reason` has no content. */
  onParked?(kind: string, reason: string): void
}

/** Background work: stored jobs and everything that is due by time. */
export function startJobs(
  store: InboxStore &
    ListStore &
    MoneyStore &
    JobStore &
    OutboxStore &
    UpkeepStore &
    Pick<InvocationStore, 'forgetInvocations'>,
  coordinator: Coordinator,
  clock: Clock,
  options: JobOptions = {},
) {
  const rewrite = options.quiet && rewriteInQuiet(store, clock, { ...options.quiet, isIdle: () => isIdle(coordinator) })
  const { askTask, everyMs = EVERY_MS } = options
  const tasks = askTask && followTasks(store, clock, askTask, () => options.onFailure?.('task'))
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
  const handlers: { readonly [Kind in Exclude<JobKind, 'task'>]: (payload: JobData[Kind]) => Promise<unknown> } = {
    purge: ({ sessionId }) => store.purge(sessionId),
    title: async ({ sessionId }) => (await store.session(sessionId)) && coordinator.tell(sessionId, { kind: 'title' }),
    remember: async (answer) => options.remember?.(answer),
  }

  async function runStoredJobs(): Promise<void> {
    for (let job; (job = await store.takeJob(clock.now(), LEASE_MS));) await perform(job)
  }

  async function perform({ id, kind, payload, attempts }: Job): Promise<void> {
    if (kind === 'task' && tasks && payload !== null) return tasks.take({ id, payload })
    const most = options.attempts ?? Infinity
    const park = async (reason: string): Promise<void> => {
      await store.parkJob(id, clock.now(), reason)
      options.onParked?.(kind, reason)
    }
    if (!Object.hasOwn(handlers, kind)) return park('UNKNOWN_KIND')
    // It was started often enough and never finished, so it may be what kills the process.
    if (attempts > most) return park('NEVER_ENDED')
    const why = await attempt(kind, () => handlers[kind as keyof typeof handlers](payload as never), String(id))
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

  /** Telling takes as long as others' schemas take to check. */
  const telling = createLanes({ atOnce: TENANTS_AT_ONCE, patienceMs: PATIENCE_MS })
  /** The last event that was begun with; what failed before it is told again once the end was reached. */
  let toldUpTo = 0
  /** Tenants whose events are passed over until then, so that theirs stay in order. */
  const behind = new Set<string>()

  /** In the order of each tenant, but one that fails blocks no other; the process can die before an event is removed. */
  async function tellOutbox(tell: NonNullable<JobOptions['tell']>): Promise<void> {
    let last: StoredOutboxEvent | undefined
    let isEnd = false
    const left = await telling.run(
      async () => {
        const events = await store.outbox(toldUpTo, TOLD_AT_A_TIME)
        last = events.at(-1)
        isEnd = events.length < TOLD_AT_A_TIME
        return events.filter(({ tenant }) => !behind.has(tenant))
      },
      ({ place, ...event }) => attempt('outbox', () => tellOne(tell, event, place), String(place)),
    )
    for (const tenant of left) behind.add(tenant)
    toldUpTo = isEnd ? 0 : (last?.place ?? 0)
    if (isEnd) behind.clear()
  }

  async function tellOne(tell: NonNullable<JobOptions['tell']>, event: AutomationEvent, place: number): Promise<void> {
    // It may have been erased while others were told.
    const [still] = await store.outbox(place - 1, 1)
    if (still?.place !== place) return
    await tell(event)
    await store.removeOutbox(place)
  }

  async function lookAfterOutbox(): Promise<void> {
    if (options.tell) await tellOutbox(options.tell)
    await store.forgetOutbox(clock.now() - OUTBOX_MS, OUTBOX_AT_A_TIME)
  }

  async function forgetInvocations(): Promise<void> {
    const { invocationMs } = options
    if (invocationMs !== undefined) await store.forgetInvocations(clock.now() - invocationMs, INVOCATIONS_AT_A_TIME)
  }

  /** The work of each tick in order; a sweep is told whether it is this process's turn. */
  const work: Readonly<Record<string, (isOurs: boolean) => unknown>> = {
    jobs: runStoredJobs,
    expiry: (isOurs) => expire(isOurs ? 'all' : 'mine'),
    rescue: () => coordinator.rescue(),
    sweep: () => coordinator.sweep(),
    claims: (isOurs) => isOurs && forgetClaims(),
    reservations: (isOurs) => isOurs && store.forgetReservations(clock.now() - RESERVATION_MS, RESERVATIONS_AT_A_TIME),
    outbox: (isOurs) => isOurs && lookAfterOutbox(),
    schedules: (isOurs) => isOurs && options.tick?.(),
    invocations: (isOurs) => isOurs && forgetInvocations(),
    ...(rewrite && { rewrite }),
  }

  /** Does everything that is due now. */
  function tick(): Promise<void> {
    running ??= (async () => {
      failedBefore = failed
      failed = new Set()
      try {
        let taken: readonly string[] = []
        await attempt('sweeps', async () => (taken = await store.takeSweeps(SWEEPS, everyMs * SWEEP_SHARE)))
        for (const [name, task] of Object.entries(work)) await attempt(name, () => task(taken.includes(name)))
      } finally {
        running = undefined
      }
    })()
    return running
  }

  const timer = setInterval(() => void tick(), everyMs)
  timer.unref()
  return {
    tick,
    async stop(): Promise<void> {
      clearInterval(timer)
      await running
      await Promise.all([telling.stop(), tasks?.stop()])
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
