import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compose, type Parts } from '../../../src/app.ts'
import { serve } from '../../../src/channel/http/index.ts'
import type { Segno, SegnoOptions } from '../../../src/segno.ts'
import { freePort } from '../free-port.ts'

export const CLUSTER_SECRET = 'a secret of the tests that is long enough'

export interface TestNode {
  readonly segno: Segno
  readonly url: string
  readonly home: string
  /** Closes it as `segno serve` does. */
  close(): Promise<void>
}

export interface NodeOptions extends SegnoOptions {
  readonly database: string
  readonly parts?: Parts
  /** without an address and a secret */
  readonly alone?: boolean
}

/** A whole node in this process: a server of its own, joined to the cluster of a database. Times are divided by ten. */
export async function startNode({ database, parts, alone, ...options }: NodeOptions): Promise<TestNode> {
  const home = mkdtempSync(join(tmpdir(), 'segno-node-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const ofMany = alone ? {} : { SEGNO_CLUSTER_SECRET: CLUSTER_SECRET, SEGNO_NODE_URL: url }
  const env = { SEGNO_DATABASE_URL: database, SEGNO_REQUIRE_KEY: 'off', ...ofMany, ...options.env }
  const segno = await compose(
    { ...options, home, env, limits: { DRAIN_MS: 1000, ...options.limits } },
    { ...parts, cluster: { faster: 10, ...parts?.cluster } },
  )
  const server = await serve(segno.fetch, { host: '127.0.0.1', port, requestMs: 30_000 })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> =>
    (closing ??= (async () => {
      await segno.close()
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    })())
  onTestFinished(close)
  return { segno, url, home, close }
}
