import { onTestFinished } from 'vitest'
import { createEgress } from '../../../src/egress/index.ts'
import { type Clock, systemClock } from '../../../src/lib/clock.ts'
import type { Engine } from '../../../src/workflow/engine.ts'
import { createHttpEngine } from '../../../src/workflow/http/index.ts'
import { createN8nEngine } from '../../../src/workflow/n8n/index.ts'
import { createTemporalEngine } from '../../../src/workflow/temporal/index.ts'
import type { Outside } from './outside.ts'

interface EngineOptions {
  readonly clock?: Clock
  readonly answerBytes?: number
}

/** Where an engine finds its other side; only the origin named here may be private. */
export type Where = Pick<Outside, 'engine' | 'origin' | 'address'>

/** The real engine for a side; whoever opened it closes it. */
function openEngine(
  { engine, origin, address = '' }: Where,
  { clock = systemClock, answerBytes = 1_000_000 }: EngineOptions = {},
): Engine {
  if (engine === 'temporal') {
    const connections = new Map([['main', { address, namespace: 'default', tls: false }]])
    return createTemporalEngine({ connections, connectMs: 3000, answerBytes })
  }
  const egress = createEgress({ privateOrigins: origin === undefined ? [] : [origin], connectMs: 3000 })
  const made = (engine === 'http' ? createHttpEngine : createN8nEngine)({ egress, clock, answerBytes })
  return { ...made, close: egress.close }
}

/** One of this test alone. */
export function engineFor(outside: Where, options?: EngineOptions): Engine {
  const engine = openEngine(outside, options)
  onTestFinished(async () => {
    await engine.close?.()
  })
  return engine
}
