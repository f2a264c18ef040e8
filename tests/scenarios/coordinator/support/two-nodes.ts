import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { compose } from '../../../../src/app.ts'
import { LOCAL_OWNER } from '../../../../src/contract/actor.ts'
import { DEFAULT_ROUND_LIMITS } from '../../../support/limits.ts'
import { createCoordinator, createRounds, createSessions, type Hands } from '../../../../src/round/index.ts'
import type { SegnoOptions } from '../../../../src/segno.ts'
import { openSqliteFile } from '../../../../src/store/sqlite/index.ts'
import { tempFolder } from '../../workspace/support.ts'

export type Node = Awaited<ReturnType<typeof twoNodes>>['one']

/**
 * Two nodes on one open file, each with a handle and a coordinator of its own. Nothing looks around by itself: a test
 * calls `rescue`, which is what each does every second. `wakes`: who was told to look at which session.
 */
export async function twoNodes({ model, tools }: Pick<SegnoOptions, 'model' | 'tools'>) {
  const home = tempFolder()
  const open = openSqliteFile({ file: join(home, 'segno.db'), durability: 'normal' })
  const wakes: [where: string, sessionId: string][] = []

  async function node(id: string) {
    const lease = { until: Infinity }
    const store = open({ id, until: () => lease.until })
    let hands: Hands | undefined
    const segno = await compose(
      { home, env: {}, durability: 'normal', builtInTools: false, ...(model && { model }), ...(tools && { tools }) },
      { store: () => store, looks: true, hands: (given) => (hands = given) },
    )
    const limits = { maxCoordinators: 20, maxRounds: 5, queueLength: 20, idleMs: 60_000 }
    const coordinator = createCoordinator(store, hands as Hands, limits, (...wake) => wakes.push(wake))
    const clock = { now: Date.now }
    const sessions = createSessions(store, coordinator, clock, { workspace: async () => {}, model: () => {} })
    const rounds = createRounds(store, coordinator, sessions, {
      hands: hands as Hands,
      protocol: 'unified',
      model: segno.model,
      limits: DEFAULT_ROUND_LIMITS,
      messageChars: 10_000,
      fileBytes: 1000,
      messageFiles: 2,
      now: clock.now,
      checkModel: () => {},
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
  return { one, two, wakes, holding }
}
