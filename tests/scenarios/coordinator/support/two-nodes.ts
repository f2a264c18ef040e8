import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compose } from '../../../../src/app.ts'
import { LOCAL_OWNER } from '../../../../src/contract/actor.ts'
import { DEFAULT_ROUND_LIMITS } from '../../../support/limits.ts'
import { createCoordinator, createRounds, createSessions, type Deps } from '../../../../src/round/index.ts'
import type { SegnoOptions } from '../../../../src/segno.ts'
import { openForNodes } from '../../../support/sqlite-nodes.ts'
import { tempFolder } from '../../workspace/support.ts'

export type Node = Awaited<ReturnType<typeof twoNodes>>['one']

/**
 * Two nodes on one open file, each with a handle and a coordinator of its own. Nothing looks around by itself: a test
 * calls `rescue`, which is what each does every second. `wakes`: who was told to look at which session.
 */
export async function twoNodes({ model, tools }: Pick<SegnoOptions, 'model' | 'tools'>, maxRounds = 5) {
  const home = tempFolder()
  const open = openForNodes({ file: join(home, 'segno.db'), durability: 'normal' })
  /** what each is told of the slots of the other */
  const free: Record<string, number> = {}
  const wakes: [where: string, sessionId: string][] = []

  async function node(id: string) {
    const lease = { until: Infinity, mayAct: true }
    const store = open({ id, until: () => lease.until })
    let deps: Deps | undefined
    const segno = await compose(
      { home, env: {}, durability: 'normal', builtInTools: false, ...(model && { model }), ...(tools && { tools }) },
      { store: () => store, passive: true, deps: (given) => (deps = { ...given, mayAct: () => lease.mayAct }) },
    )
    const limits = { maxCoordinators: 20, maxRounds, queueLength: 20, idleMs: 60_000 }
    const coordinator = createCoordinator(store, deps as Deps, limits, {
      living: () => 2,
      free: () => free[id] ?? 0,
      wake: (...wake) => wakes.push(wake),
    })
    const clock = { now: Date.now }
    const sessions = createSessions(store, coordinator, clock, {
      workspace: async () => {},
      model: () => {},
      params: async () => {},
      draft: async () => {},
      mayAsk: () => true,
      imports: { tools: (deps as Deps).tools, limits: DEFAULT_ROUND_LIMITS, mostChars: 1000, mostEvents: 100 },
    })
    const rounds = createRounds(store, coordinator, sessions, {
      deps: deps as Deps,
      protocol: 'unified',
      model: segno.model,
      limits: DEFAULT_ROUND_LIMITS,
      messageChars: 10_000,
      fileBytes: 1000,
      messageFiles: 2,
      now: clock.now,
      checkModel: () => {},
      checkParams: async () => {},
      models: async () => [],
    })
    onTestFinished(async () => {
      await coordinator.drain(1000)
      await segno.close()
    })
    return { segno, store, coordinator, sessions, rounds, lease }
  }

  const [one, two] = [await node('one'), await node('two')]
  /** A session that the first node owns, with a round that is inside its tool. */
  async function holding(entered: Promise<void>): Promise<{ id: string; requestId: string }> {
    const { id } = await one.sessions.create(LOCAL_OWNER)
    const { requestId } = await one.rounds.send(LOCAL_OWNER, id, 'hold')
    await entered
    return { id, requestId }
  }
  return { one, two, wakes, free, holding }
}
