import { expect, onTestFinished } from 'vitest'
import { tempFolder } from '../scenarios/workspace/support.ts'
import { openStoreOf, STORE } from '../support/store-under-test.ts'
import { verifies } from '../support/verifies.ts'
import { throwDice } from './dice.ts'
import { liveAlone, liveOn, type Life } from './workflows/lives.ts'
import { startReceiver } from './workflows/receiver.ts'
import { STORIES, type Story, type StoryName } from './workflows/stories.ts'
import { expectSound } from './workflows/verdict.ts'
import { openWorld } from './workflows/world.ts'

const IS_LONG = process.env['SEGNO_TEST_LONG'] === '1'
/** Between what leads to something and that, and while nobody knows: never left out, with the worst effect. */
const ALWAYS: readonly string[] = [
  'before the run',
  'before the delivery',
  'during the request',
  'before the answer to the call',
  'after its result is acknowledged',
  'before the next time',
]
/** Of each story, besides those; all of them with `SEGNO_TEST_LONG`, and as many as fit on PostgreSQL. */
const KILLS = !IS_LONG ? 2 : STORE === 'postgres' ? 12 : Infinity
/** They mostly wait. */
const AT_ONCE = 4

interface Kill {
  readonly effect: Life['effect']
  readonly point: string
}

for (const name of Object.keys(STORIES) as StoryName[])
  verifies(
    ['GOV-13', 'GOV-14', 'GOV-15', 'GOV-16', 'REL-1', 'REL-2'],
    `nothing is lost and nothing happens twice of ${name}, wherever the process is killed`,
    async () => {
      const { effects, points }: Story = STORIES[name]
      const all = effects.flatMap((effect) => points.map((point): Kill => ({ effect, point })))
      const first = all.filter(({ effect, point }) => effect === effects.at(-1) && ALWAYS.includes(point))
      const others = throwDice(name.length).shuffled(all.filter((one) => !first.includes(one)))
      const left = [...first, ...others.slice(0, KILLS)]
      const harms: object[] = []
      async function work(): Promise<void> {
        for (let kill; (kill = left.shift());) {
          const harm = await harmOf(name, kill)
          if (harm) harms.push({ ...kill, harm })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      expect(harms).toEqual([])
    },
    IS_LONG ? 1_200_000 : 120_000,
  )

// On PostgreSQL another node may be at work on it, so its lease has to end.
if (STORE === 'sqlite')
  verifies(['GOV-13', 'REL-1'], 'a run that a process died with goes on as soon as the next one starts', async () => {
    const name = 'a run that somebody wants'
    const receiver = await startReceiver(STORIES[name].conduct)
    onTestFinished(receiver.close)
    const life: Life = { home: tempFolder(), name, effect: 'keyed', receiver }
    const ended = await liveAlone(life, 'during the request')
    expect(ended.signal).toBe('SIGKILL')
    const { segno, runs } = await openWorld(life.home, receiver, ended.aheadMs)
    onTestFinished(() => segno.close())
    await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(['success'])
  })

async function harmOf(name: StoryName, { effect, point }: Kill): Promise<unknown> {
  const receiver = await startReceiver(STORIES[name].conduct)
  onTestFinished(receiver.close)
  const life = { home: tempFolder(), name, effect, receiver }
  try {
    await kill(life, point)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

async function kill(life: Life, point: string): Promise<void> {
  const ended = await liveAlone(life, point)
  expect({ signal: ended.signal, stderr: ended.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
  const world = await liveOn(life, ended)
  try {
    await expectSound(world, life, ended, point)
  } finally {
    await world.segno.close()
  }
  const store = await openStoreOf(life.home)
  try {
    expect(await store.check()).toMatchObject({ ok: true, findings: [] })
  } finally {
    await store.close()
  }
}
