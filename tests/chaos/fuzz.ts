import { parseArgs } from 'node:util'
import { runFuzz } from './fuzz-run.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string' }, requests: { type: 'string', default: '20000' } },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const requests = Number(values.requests)
if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(requests))
  throw new Error('--seed and --requests are whole numbers')

console.log(`seed ${seed}`)
const began = performance.now()
const { statuses, faults } = await runFuzz({
  seed,
  requests,
  onProgress: (sent) => console.log(`${sent} of ${requests}`),
})
const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, times]) => `${status || 'closed'}: ${times}`)
console.log(`${counts.join(', ')}; ${((performance.now() - began) / 1000).toFixed(0)} s`)
for (const fault of faults.slice(0, 20)) console.log(`\n${fault}`)
console.log(`${faults.length} faults, seed ${seed}`)
process.exitCode = faults.length === 0 ? 0 : 1
