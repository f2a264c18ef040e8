import { compose } from '../../../src/app.ts'
import { serve } from '../../../src/channel/http/index.ts'
import { SCRIPT } from '../../crash/server/plan-streams.ts'
import type { NodePlan } from './start-node.ts'

/** A node of a cluster in a process of its own, with a real server and the scripted model. */
const {
  database,
  port,
  home,
  faster,
  maxRounds,
  script = SCRIPT,
} = JSON.parse(process.env['FOLLOWING_NODE'] ?? '') as NodePlan

const url = `http://127.0.0.1:${port}`
const segno = await compose(
  {
    home,
    model: script,
    env: {
      SEGNO_DATABASE_URL: database,
      SEGNO_CLUSTER_SECRET: 'nodes that follow each other',
      SEGNO_NODE_URL: url,
      SEGNO_LOG: 'error',
      TWO_STAGE_ENABLED: 'true',
    },
    limits: { DRAIN_MS: 200, MAX_ROUNDS: maxRounds },
  },
  { cluster: { faster } },
)
const server = await serve(segno.fetch, { host: '127.0.0.1', port, requestMs: 30_000 })
console.log('ready')

process.once('SIGTERM', () => {
  void (async () => {
    await Promise.all([segno.close(), server.stop()])
    process.exit(0)
  })()
})
