import { writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { compose } from '../../src/app.ts'
import { serve } from '../../src/channel/http/index.ts'
import type { ToolContext } from '../../src/contract/tool.ts'
import type { Store } from '../../src/store/index.ts'
import { effectTools, post } from '../crash/effect-tools.ts'
import { scriptOf } from '../crash/script-of.ts'
import type { Deed, NodePlan } from './node-plan.ts'

/** A node: real server, real store, tools whose effects the world outside counts. What it does to the store is told. */
const plan = JSON.parse(process.env['CLUSTER_NODE'] ?? '') as NodePlan

const DEEDS = 3

function tell(deed: Deed): void {
  const bytes = Buffer.from(`${JSON.stringify(deed)}\n`)
  for (let at = 0; at < bytes.length;) at += writeSync(DEEDS, bytes, at)
}

const about = (sessionId: string, epoch: number) => ({ node: plan.name, at: Date.now(), sessionId, epoch })

/** Only what the store has taken is told, after it has. */
function watched(store: Store): Store {
  return {
    ...store,
    async commit(change) {
      const { sessionId, epoch, expected, events } = change
      const result = await store.commit(change)
      if (result.kind !== 'committed') return result
      tell({ type: 'commit', ...about(sessionId, epoch), expected, events: events.length })
      if (plan.stopsAtStart && events.some(({ type }) => type === 'tool.started')) process.kill(process.pid, 'SIGSTOP')
      return result
    },
    async claim(sessionId) {
      const claimed = await store.claim(sessionId)
      if (claimed?.kind === 'owned') tell({ type: 'claim', ...about(sessionId, claimed.epoch), head: claimed.head })
      return claimed
    },
  }
}

/** Says that a call is running, and its effect is still to come. */
const inside = async ({ signal }: ToolContext): Promise<void> => {
  const stopped = new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  await Promise.race([post(plan, '/ready', { home: plan.world, node: plan.name }), stopped])
}

const segno = await compose(
  {
    home: plan.home,
    model: scriptOf(plan.episodes),
    builtInTools: false,
    env: {
      SEGNO_DATABASE_URL: plan.database,
      SEGNO_CLUSTER_SECRET: plan.secret,
      SEGNO_NODE_URL: plan.address,
      SEGNO_LOG: 'warn',
    },
    limits: { DRAIN_MS: plan.drainMs, SNAPSHOT_EVENTS: 20, MAX_ROUNDS: 50, RATE_PER_MINUTE: 1_000_000 },
    tools: effectTools({ home: plan.world, ledger: plan.ledger, hit: () => {}, inside }),
  },
  { store: (open) => watched(open()), cluster: { faster: plan.faster } },
)
const server = await serve(segno.fetch, { host: '127.0.0.1', port: plan.port, requestMs: 30_000 })
// To itself everybody comes from this machine, as it does behind a load balancer beside it.
for (const host of plan.listens) await relay(host)
console.log('ready')

async function relay(host: string): Promise<void> {
  const door = createServer((near) => {
    const far = connect(plan.port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => door.listen(plan.port, host, resolve))
}

process.once('SIGTERM', () => {
  void (async () => {
    await Promise.all([server.stop(), segno.close()])
    process.exit(0)
  })()
})
