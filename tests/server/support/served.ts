import { onTestFinished } from 'vitest'
import type { Parts } from '../../../src/app.ts'
import { serve } from '../../../src/channel/http/index.ts'
import type { Segno, SegnoOptions } from '../../../src/segno.ts'
import { tempHome } from '../../scenarios/library/support/open-segno.ts'
import { composeUnderTest } from '../../support/compose-under-test.ts'

export interface Served {
  readonly url: string
  readonly segno: Segno
  readonly home: string
}

/** Segno behind a real socket in this process; closed when the test ends. */
export async function served(options: SegnoOptions = {}, parts: Parts = {}): Promise<Served> {
  const home = options.home ?? tempHome()
  const limits = { RETRY_BASE_MS: 1, DRAIN_MS: 50, ...options.limits }
  const usual = { env: {}, model: {}, durability: 'normal', builtInTools: false } as const
  const segno = await composeUnderTest({ ...usual, ...options, home, limits }, parts)
  const server = await serve(segno.fetch, { host: '127.0.0.1', port: 0, requestMs: 30_000 })
  onTestFinished(async () => {
    await segno.close()
    await server.stop()
  })
  return { url: server.url, segno, home }
}
