import { spawnSync } from 'node:child_process'
import { cpSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'rolldown'
import { server as config } from '../rolldown.config.ts'
import type { Place } from './place.ts'
import { inMs, type Line } from './report.ts'
import { interleave, spreadOf } from './sampling.ts'

const root = join(import.meta.dirname, '..')

/** Of both rounds, on a machine with nothing else to do. */
const AIM_MS = 250

/** From the import of the built package to the end of its first round, in a process of its own. */
export async function benchFirstRound(place: Place, samples: number): Promise<Line[]> {
  const folder = place.folder('package')
  await build(folder)
  const inside: number[] = []
  const withTool: number[] = []
  let homes = 0
  const child = (message: string, times: number[]) => ({
    run: () => {
      const home = join(folder, `home-${homes++}`)
      times.push(Number(run([join(folder, 'child.mjs'), home, message])))
    },
  })
  const empty = { run: () => void run(['-e', '0']) }
  const warmUp = 2
  const sides = [child('hello', inside), child('what is 17 * 23', withTool), empty]
  const [whole, , emptyMs] = await interleave(sides, samples, warmUp)
  const bare = spreadOf(emptyMs)
  const line = (name: string, times: number[] | undefined): Line => {
    const spread = spreadOf(times)
    return { name, segno: inMs(spread), floor: inMs(bare), ratio: spread.median / bare.median }
  }
  const withAim = (name: string, times: number[]): Line => {
    const aim = { text: `≤ ${AIM_MS} ms`, reached: spreadOf(times).median <= AIM_MS }
    return { ...line(name, times), aim }
  }
  return [
    withAim('import to first finished round, next to an empty node', inside.slice(warmUp)),
    withAim('import to first finished round with a tool call', withTool.slice(warmUp)),
    line('whole process with that first round', whole),
  ]
}

/** Builds beside the tree, as `npm run build` does; the packages Segno needs are found through a link. */
async function build(folder: string): Promise<void> {
  await bundle({ ...config, cwd: root, output: { ...[config.output].flat()[0], dir: join(folder, 'dist') } })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'child.mjs'), CHILD)
}

const CHILD = `
const start = performance.now()
const { createSegno } = await import('./dist/index.js')
const segno = await createSegno({ home: process.argv[2], env: {} })
const { id } = await segno.createSession()
const { completion } = await segno.streamRequest(id, process.argv[3])
const { finishReason } = await completion
const ms = performance.now() - start
if (finishReason !== 'complete') throw new Error('the round ended with ' + finishReason)
console.log(ms)
await segno.close()
`

function run(args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args)
  if (status !== 0) throw new Error(`node ${args.join(' ')} failed: ${stderr.toString()}`)
  return stdout.toString()
}
