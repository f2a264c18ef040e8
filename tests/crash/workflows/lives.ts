import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../support/compiled.ts'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { storeEnv } from '../../support/store-under-test.ts'
import { endLeases } from '../end-leases.ts'
import type { Receiver } from './receiver.ts'
import { STORIES, type Story, type StoryName } from './stories.ts'
import { openWorld, settled, type Things, type World } from './world.ts'

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url))
/** Longer than the lease of anything that a process was working on. */
const LATER_MS = 200_000

/** A story in a home, and what it said before it came to its end. */
export interface Life {
  readonly home: string
  readonly name: StoryName
  readonly effect: EffectClass
  readonly receiver: Receiver
}

export interface Ended {
  readonly code: number | null
  readonly signal: string | null
  readonly stderr: string
  readonly things: Things
  readonly made: Readonly<Record<string, string>>
  readonly acknowledged: ReadonlySet<string>
  readonly aheadMs: number
  /** all points it came to, if it was not killed */
  readonly points: readonly string[]
}

/** Lives a story in a process of its own, which dies at a point. */
export async function liveAlone({ home, name, effect, receiver }: Life, point: string): Promise<Ended> {
  const { origin, temporal } = receiver
  const args = ['--conditions=segno-source', CHILD, home, JSON.stringify({ origin, temporal }), name, effect, point]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], ...COMPILED, ...storeEnv() },
  })
  receiver.killDuring(point, child)
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (stderr += piece))
  const closed = once(child, 'close') as Promise<[number | null, string | null]>
  let heard: Pick<Ended, 'things' | 'made'> = { things: { workflowId: '', secret: '', sessionId: '' }, made: {} }
  let points: readonly string[] = []
  let aheadMs = 0
  const acknowledged = new Set<string>()
  for await (const line of createInterface(child.stdout)) {
    const said = JSON.parse(line) as Partial<typeof heard> & {
      acknowledged?: string
      jumped?: number
      points?: string[]
    }
    if (said.acknowledged !== undefined) acknowledged.add(said.acknowledged)
    aheadMs += said.jumped ?? 0
    points = said.points ?? points
    if (said.things) heard = { things: said.things, made: said.made ?? {} }
  }
  const [code, signal] = await closed
  await endLeases(home)
  return { code, signal, stderr, ...heard, acknowledged, aheadMs, points }
}

/** Lives it to its end after a process died; whoever was not told that something was taken sends it again. */
export async function liveOn(life: Life, { things, made, acknowledged, aheadMs }: Ended): Promise<World> {
  const story: Story = STORIES[life.name]
  const world = await openWorld(life.home, life.receiver, aheadMs + LATER_MS)
  const step = async (name: string, action: () => Promise<unknown>): Promise<void> => {
    if (!acknowledged.has(name)) await action()
  }
  try {
    await story.live({ world, things, made, arm: () => {}, step })
    await settled(world, things)
    return world
  } catch (error) {
    await world.segno.close()
    throw error
  }
}
