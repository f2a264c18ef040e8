import { parseArgs } from 'node:util'
import { freshDatabase } from '../../support/postgres/fresh-database.ts'
import { startPostgres } from '../../support/postgres/start-postgres.ts'
import { runFollowers } from './run-followers.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    readers: { type: 'string', default: '300' },
    waves: { type: 'string', default: '6' },
    /** all times of the cluster are divided by it */
    faster: { type: 'string', default: '4' },
  },
})

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const [readers, waves, faster] = [Number(values.readers), Number(values.waves), Number(values.faster)]
if (![seed, readers, waves, faster].every(Number.isSafeInteger)) throw new Error('all options are whole numbers')
console.log(`seed ${seed}`)
const began = performance.now()
const server = await startPostgres()
try {
  const { url } = await freshDatabase({ server: server.url })
  const report = await runFollowers({
    database: url,
    seed,
    waves,
    readers: Math.ceil(readers / waves),
    faster,
    onWave: ({ waves: done, readers: all, cuts, violations }) =>
      console.log(`wave ${done} of ${waves}: ${all} readers, ${cuts} cuts, ${violations.length} violations`),
  })
  const { violations, strikes, ...counts } = report
  console.log(`\n${JSON.stringify({ ...counts, ...strikes })}`)
  for (const violation of violations.slice(0, 20)) console.log(violation.slice(0, 20_000))
  console.log(`${violations.length} violations, ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${seed}`)
  process.exitCode = violations.length === 0 ? 0 : 1
} finally {
  await server.stop()
}
process.exit()
