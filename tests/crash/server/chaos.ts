import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runKills } from './run-kills.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    kills: { type: 'string', default: '40' },
    sessions: { type: 'string', default: '50' },
  },
})

/** More takeovers than that without progress, and a round is given up. */
const KILLS_PER_HOME = 2

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const wanted = Number(values.kills)
const sessions = Number(values.sessions)
if (![seed, wanted, sessions].every((value) => Number.isSafeInteger(value)))
  throw new Error('--seed, --kills and --sessions are whole numbers')

console.log(`seed ${seed}`)
let failures = 0
for (let done = 0, at = 0; done < wanted; at++) {
  const kills = Math.min(KILLS_PER_HOME, wanted - done)
  const home = mkdtempSync(join(tmpdir(), 'segno-kills-'))
  const report = await runKills({ home, seed: seed + at, kills, sessions, early: (seed + at) % 2 === 0 })
  done += kills
  failures += report.violations.length
  const { struck, acknowledged, connections, violations } = report
  console.log(
    `${done} kills of ${wanted}: struck ${struck.join(' and ')} of ${sessions} answers, ` +
      `${acknowledged} frames acknowledged, ${connections} connections, ${violations.length} violations`,
  )
  for (const violation of violations) console.log(`  ${violation}`)
  if (violations.length === 0) rmSync(home, { recursive: true })
  else console.log(`  kept in ${home}; again: npm run chaos:server -- --seed ${seed + at} --kills ${kills}`)
}
process.exitCode = failures === 0 ? 0 : 1
