import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runMcpChaos } from '../mcp/chaos.ts'
import { hasStrace, watchSyncs } from './fsync.ts'
import { startLedger } from './ledger.ts'
import { POINTS } from './conditions.ts'
import { chaosTable, runChaos } from './run-chaos.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    kills: { type: 'string', default: '500' },
    /** only this point */
    point: { type: 'string' },
    /** only this home of the plan */
    home: { type: 'string' },
    /** watch the system calls instead; needs strace */
    fsync: { type: 'boolean', default: false },
  },
})

const ALL_OF_THEM = 500
const EACH_AT_LEAST = 5
const SERVER_KILLS = 200

process.exitCode = (values.fsync ? await syncs() : await kills()) ? 0 : 1

async function kills(): Promise<boolean> {
  const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
  const wanted = Number(values.kills)
  const point = POINTS.find((one) => one === values.point)
  if (values.point !== undefined && !point) throw new Error(`--point is one of: ${POINTS.join(' | ')}`)
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(wanted))
    throw new Error('--seed and --kills are whole numbers')
  console.log(`seed ${seed}`)
  const began = performance.now()
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0)
  let told = 0
  const report = await runChaos({
    seed,
    kills: wanted,
    ...(point && { point }),
    ...(values.home !== undefined && { home: Number(values.home) }),
    onProgress({ kills: done, violations }) {
      if (done < told + 25) return
      told = done
      console.log(`${done} kills of ${wanted}, ${violations} violations, ${seconds()} s`)
    },
  })
  console.log(`\n${chaosTable(report)}\n\n${seconds()} s, seed ${seed}`)
  console.log(
    `effects besides those of our own process: ${report.byCommands} of commands, ${report.byServers} of MCP servers, ${report.byWorkflows} of workflows`,
  )
  for (const [name, times] of report.missed) console.log(`planned and not reached: ${name} (${times} times)`)
  for (const { home, folder, harms } of report.failures) {
    console.log(`\nhome ${home}, kept in ${folder}`)
    for (const { point: at, violation } of harms)
      console.log(`  ${violation.harm} after "${at}": ${violation.what} [${violation.check}]`)
    const same = point ? ` --point "${point}"` : ''
    console.log(`  again: npm run chaos -- --seed ${seed} --kills ${wanted}${same} --home ${home}`)
  }
  const whole = !point && values.home === undefined && wanted >= ALL_OF_THEM
  const rare = whole ? report.points.filter((one) => (report.kills.get(one) ?? 0) < EACH_AT_LEAST) : []
  for (const one of rare) console.log(`killed fewer than ${EACH_AT_LEAST} times: ${one}`)
  const served = !whole || (await servers(seed))
  return report.failures.length === 0 && rare.length === 0 && served
}

/** Only the servers are killed here, and Segno goes on. */
async function servers(seed: number): Promise<boolean> {
  const { kills: done, calls, ok, notSent, unknown, restarts, faults } = await runMcpChaos(seed, SERVER_KILLS)
  const outcomes = `${ok} done, ${notSent} never sent, ${unknown} unknown`
  console.log(
    `${done} kills of MCP servers: ${calls} calls (${outcomes}), ${restarts} restarts, ${faults.length} faults`,
  )
  for (const one of faults) console.log(`  ${one}`)
  return faults.length === 0
}

async function syncs(): Promise<boolean> {
  if (!hasStrace()) {
    console.log('--fsync watches system calls with strace, which is not here: apt-get install strace')
    return false
  }
  const home = mkdtempSync(join(tmpdir(), 'segno-fsync-'))
  const ledger = await startLedger()
  const { acknowledged, syncs: count, early } = await watchSyncs(home, ledger, 'full')
  await ledger.close()
  console.log(
    `${acknowledged} acknowledgements, ${count} syncs of the log, ${early.length} acknowledged before they were synced`,
  )
  for (const one of early) console.log(`  ${one}`)
  if (early.length === 0) rmSync(home, { recursive: true })
  else console.log(`kept in ${home}`)
  return early.length === 0
}
