import { compose } from '../../../src/app.ts'
import { LOCAL_OWNER } from '../../../src/contract/actor.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { hasEnded, type Invocation } from '../../../src/contract/invocation.ts'
import type { StoredEvent } from '../../../src/contract/event.ts'
import type { Segno } from '../../../src/segno.ts'
import type { Store } from '../../../src/store/index.ts'
import { delay } from '../../../src/lib/delay.ts'
import { ofType } from '../../properties/invariants/round-logs.ts'
import { storeSettings } from '../../support/store-under-test.ts'
import { watchRuns, type Hit } from './points.ts'
import type { Came, Conduct } from './receiver.ts'

/** What a home has before anything is killed. */
export interface Things {
  readonly workflowId: string
  /** with which its engine signs */
  readonly secret: string
  readonly sessionId: string
}

/** Where the other side is. */
export interface Other {
  readonly origin: string
  readonly temporal: string
}

/** A Segno on a home, whose clock is ahead. */
export interface World {
  readonly home: string
  readonly segno: Segno
  readonly store: Store
  readonly other: Other
  now(): number
  jump(ms: number): void
  /** all runs and deliveries, as they are stored */
  runs(): Promise<readonly Invocation[]>
  /** what was said in the conversation */
  log(sessionId: string): Promise<readonly StoredEvent[]>
  /** what came to the other side */
  came(): Promise<readonly Came[]>
}

const SCRIPT = {
  scenarios: [
    { when: '^Work', turns: [{ calls: [{ name: 'workflow_work', args: { page: 1 } }] }, { text: 'It is done.' }] },
    { when: '', turns: [{ text: 'Yes.' }] },
  ],
}

export async function openWorld(home: string, other: Other, aheadMs: number, hit?: Hit): Promise<World> {
  const { origin, temporal } = other
  let ahead = aheadMs
  let opened: Store | undefined
  const now = (): number => Date.now() + ahead
  const segno = await compose(
    {
      home,
      builtInTools: false,
      model: SCRIPT,
      limits: { DRAIN_MS: 50 },
      env: {
        SEGNO_LOG: 'off',
        SEGNO_WORKFLOW_ORIGINS: origin,
        SEGNO_TEMPORAL: JSON.stringify({ main: { address: temporal, namespace: 'default', tls: false } }),
        SEGNO_PUBLIC_URL: 'http://127.0.0.1:7',
        ...(await storeSettings(home)),
      },
    },
    // Only the time of day jumps.
    { clock: { now, ticks: () => performance.now() }, store: (open) => (opened = hit ? watchRuns(open, hit) : open()) },
  )
  const store = opened as Store
  return {
    home,
    segno,
    store,
    other,
    now,
    jump: (ms) => void (ahead += ms),
    runs: async () => (await store.invocations({ tenant: LOCAL_OWNER.tenant, limit: 100 })).items,
    log: (sessionId) => segno.sessions.events(LOCAL_OWNER, sessionId),
    came: async () => (await (await fetch(`${origin}/came`)).json()) as Came[],
  }
}

export async function makeThings(
  { segno, other: { origin } }: World,
  { engine, conduct }: { readonly engine: 'http' | 'temporal'; readonly conduct: Conduct },
  effect: EffectClass,
): Promise<Things> {
  const target =
    engine === 'http'
      ? { url: `${origin}/work/${conduct}` }
      : { connection: 'main', workflowType: 'Work', taskQueue: 'works' }
  const { id: workflowId, secret = '' } = await segno.workflows.create(LOCAL_OWNER, {
    name: 'work',
    description: 'Works.',
    engine,
    target,
    input: { type: 'object' },
    effect,
    approval: 'auto',
    waitMs: WAIT_MS,
  })
  return { workflowId, secret, sessionId: (await segno.createSession()).id }
}

/** Longer than what a home jumps ahead after a kill. */
export const WAIT_MS = 3_600_000
export const LOOK_MS = 20
const PATIENCE_MS = 60_000
/** Shorter than any lease: what is due later is worked on by somebody. */
const SOON_MS = 120_000

/** Resolves when it is so; what only waits for its time needs not wait. */
export async function until({ runs, now, jump }: World, isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`it goes no further: ${JSON.stringify(await runs())}`)
    const next = Math.min(...(await runs()).flatMap(({ dueAt }) => dueAt ?? [])) - now()
    if (next > 0 && next < SOON_MS) jump(next)
    await delay(LOOK_MS)
  }
}

/** Resolves when nothing is left to do. */
export const settled = (world: World, { sessionId }: Things): Promise<void> =>
  until(world, async () => {
    const all = await world.runs()
    const events = await world.log(sessionId)
    const open = ofType(events, 'round.started').length - ofType(events, 'round.ended').length
    const isIdle = open === 0 && all.every((run) => hasEnded(run) && run.dueAt === undefined)
    return isIdle && (await world.store.outbox(0, 1)).length === 0
  })
