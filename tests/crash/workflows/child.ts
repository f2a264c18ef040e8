import { writeSync } from 'node:fs'
import type { EffectClass } from '../../../src/contract/outcome.ts'
import { STORIES, type Story, type StoryName } from './stories.ts'
import { makeThings, openWorld, settled, type Other, type World } from './world.ts'

/** Run with a home, where the other side is, a story, the effect of its workflow and the point where it dies; without one it lives. */
const [home = '', other = '', name = '', effect = '', point = ''] = process.argv.slice(2)
const story: Story = STORIES[name as StoryName]
const hear = (what: object): void => void writeSync(1, `${JSON.stringify(what)}\n`)

let isArmed = false
const points = new Set<string>()
function hit(at: string): void {
  if (!isArmed) return
  points.add(at)
  if (at !== point) return
  process.kill(process.pid, 'SIGKILL')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const opened = await openWorld(home, JSON.parse(other) as Other, 0, hit)
/** Whoever comes next must not be behind its time. */
const world: World = {
  ...opened,
  jump(ms) {
    opened.jump(ms)
    hear({ jumped: ms })
  },
}
const things = await makeThings(world, { engine: 'http', ...story }, effect as EffectClass)
const made = (await story.make?.(world, things)) ?? {}
hear({ things, made })
isArmed = !story.armsLater
await story.live({
  world,
  things,
  made,
  arm: () => void (isArmed = true),
  async step(step, action) {
    await action()
    hear({ acknowledged: step })
    hit(`after ${step} is acknowledged`)
  },
})
await settled(world, things)
hear({ points: [...points] })
await world.segno.close()
