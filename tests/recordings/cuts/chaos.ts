import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { recordingFiles } from '../read-recording.ts'
import { runCuts } from './run-cuts.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    /** places anywhere in each recording, besides all boundaries between chunks */
    bytes: { type: 'string', default: '1000' },
    /** only recordings with this in their name */
    only: { type: 'string', default: '' },
    /** this process does a part of it: `0/2` is the first of two */
    part: { type: 'string' },
  },
})

const SHOWN = 50
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const bytes = Number(values.bytes)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(bytes)) throw new Error('--seed and --bytes are whole numbers')
process.exitCode = (await (values.part === undefined ? inParts() : cuts(values.part))) ? 0 : 1

/** One process for each core. */
async function inParts(): Promise<boolean> {
  const count = availableParallelism()
  console.log(`seed ${seed}, ${count} processes`)
  const parts = Array.from({ length: count }, (_, at) => {
    const given = ['--seed', String(seed), '--bytes', String(bytes), '--only', values.only, '--part', `${at}/${count}`]
    const child = fork(fileURLToPath(import.meta.url), given)
    return new Promise<boolean>((resolve) => child.once('exit', (code) => resolve(code === 0)))
  })
  return (await Promise.all(parts)).every(Boolean)
}

async function cuts(part: string): Promise<boolean> {
  const [at = 0, count = 1] = part.split('/').map(Number)
  const all = recordingFiles(fileURLToPath(new URL('../streams', import.meta.url)))
  const files = all.filter((file) => file.includes(values.only)).filter((_, index) => index % count === at)
  const began = performance.now()
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0)
  let told = 0
  const report = await runCuts({
    files,
    seed: seed + at,
    bytes,
    onProgress(done, of, violations) {
      if (done < told + of / 20) return
      told = done
      console.log(`${part}: ${done} cuts of ${of}, ${violations} violations, ${seconds()} s`)
    },
  })
  for (const violation of report.violations.slice(0, SHOWN)) console.log(violation)
  console.log(
    `${part}: ${report.cases} cuts of ${files.length} recordings, ${report.retried} of them asked again, ` +
      `${report.runs} calls carried out, ${report.violations.length} violations, ${seconds()} s`,
  )
  return report.violations.length === 0
}
