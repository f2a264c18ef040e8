import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { Problem } from '../../src/contract/problem.ts'
import { compose } from '../../src/app.ts'
import type { Store } from '../../src/store/index.ts'
import { armed } from './armed.ts'
import { driveEpisode } from './drive-episode.ts'
import { effectTools, post } from './effect-tools.ts'
import { plantInDeps, plantInStore, plantInTools } from './faults.ts'
import type { Episode, Life } from './plan.ts'
import { hear } from './hear.ts'
import { markOf, serversOf, shellOf } from './real-tools.ts'
import { registerWorkflows, WORKFLOW_LIMITS } from './real-workflows.ts'
import { scriptOf } from './script-of.ts'
import { storeSettings } from '../support/store-under-test.ts'
import { holdModels, watchDeps, watchStore, watchTransactions } from './watched-ports.ts'

/** One life of Segno: real file, real process, killed where the plan says. Exits 0 when all steps are done. */
const life = JSON.parse(process.env['CRASH_LIFE'] ?? '') as Life
const kill = armed(life.steps[0]?.kill)
watchTransactions(kill.hit)
const PATIENCE_MS = 40_000
/** A server that was killed is started again soon, one that does not stop is killed, and every round ends in a snapshot. */
const QUICK = {
  SNAPSHOT_EVENTS: 1,
  MCP_CONNECT_MS: 10_000,
  MCP_RESTART_MS: 20,
  MCP_BREAKER_FAILURES: 0,
  MCP_STOP_MS: 100,
}

let raw: Store | undefined
let current: Episode | undefined
let forking: Promise<void> | undefined
/** Nobody is answered before all are there: otherwise the first are gone when the last one comes. */
const crowd = Promise.withResolvers<void>()

const segno = await compose(
  {
    home: life.home,
    durability: life.durability ?? 'full',
    model: scriptOf(
      life.steps.map(({ episode }) => episode),
      markOf(life.home),
    ),
    builtInTools: false,
    env: {
      ...serversOf(life, life.fault === 'MCP server of its own' ? ['setsid', '--wait'] : []),
      ...(await storeSettings(life.home)),
      SEGNO_WORKFLOW_ORIGINS: life.ledger,
    },
    limits: { ...QUICK, ...WORKFLOW_LIMITS, ...(life.drainMs !== undefined && { DRAIN_MS: life.drainMs }) },
    tools: plantInTools(life.fault, [
      ...(await shellOf(life)),
      ...effectTools({
        home: life.home,
        ledger: life.ledger,
        hit: kill.hit,
        async inside({ sessionId, requestId }) {
          if (current?.fork === 'running') await fork(current, sessionId)
          if (current?.cancel) await cancel(sessionId, requestId)
        },
      }),
    ]),
  },
  {
    store(open) {
      raw = open()
      return plantInStore(life.fault, watchStore(raw, kill.hit))
    },
    deps(deps) {
      const held = life.steps[0]?.episode.bystanders ? holdModels(deps, crowd.promise) : deps
      return plantInDeps(life.fault, watchDeps(held, kill.hit))
    },
  },
)

/** Shares everything up to `seq` or the newest event; once for each episode, as far as anybody knows. */
async function fork(episode: Episode, sessionId: string, seq?: number): Promise<void> {
  if (!life.known.forked.includes(episode.id)) await (forking ??= makeFork(episode, sessionId, seq))
  forking = undefined
}

async function makeFork(episode: Episode, sessionId: string, seq: number | undefined): Promise<void> {
  const at = seq ?? (await segno.sessions.get(LOCAL_OWNER, sessionId)).seq
  const made = await segno.sessions.fork(LOCAL_OWNER, sessionId, at)
  hear({ type: 'forked', episode: episode.id, sessionId: made.id, parent: { sessionId, seq: at } })
  life.known.forked.push(episode.id)
}

async function cancel(sessionId: string, requestId: string): Promise<void> {
  await segno.rounds.cancel(LOCAL_OWNER, sessionId, requestId)
  hear({ type: 'cancelled', sessionId, requestId })
  kill.hit('cancel acknowledged')
}

/** Drains and goes; whoever comes now is sent away. */
async function leave(): Promise<void> {
  const closed = segno.close()
  const refused = await segno.sessions
    .list(LOCAL_OWNER)
    .then(({ items }) => segno.rounds.send(LOCAL_OWNER, items[0]?.id ?? '', 'one more?'))
    .catch((error: unknown) => error)
  if (refused instanceof Problem) hear({ type: 'refused', code: refused.code })
  await closed
  process.exit(0)
}

async function live(): Promise<void> {
  await registerWorkflows(segno, life)
  for (const { episode, kill: wanted } of life.steps) {
    current = episode
    kill.arm(wanted)
    // Blows from outside are meant for the last episode.
    const isMeant = episode.drag !== undefined && episode === life.steps.at(-1)?.episode
    if (isMeant) await post(life, '/ready', { home: life.home })
    let hasSpoken = !isMeant
    const onSpeech = (): void => {
      if (!hasSpoken) void post(life, '/speech', { home: life.home }).catch(() => {})
      hasSpoken = true
    }
    const { known } = life
    // Who is to die on the way is not hurried.
    const patienceMs = wanted ? PATIENCE_MS : (life.patienceMs ?? PATIENCE_MS)
    const ways = { known, hit: kill.hit, patienceMs, fork, onSpeech, onCrowd: crowd.resolve }
    const state = await driveEpisode({ segno, store: raw as Store, episode, ...ways })
    if (!state) process.exit(3)
    hear({ type: 'state', state })
    if (wanted) hear({ type: 'missed', point: wanted.point })
  }
}

let leaving: Promise<void> | undefined
process.on('SIGTERM', () => void (leaving ??= leave()))
try {
  await live()
} catch (error) {
  if (!leaving) throw error
}
await (leaving ?? segno.close())
process.exit(0)
