import { parseArgs } from 'node:util'
import { limitsOf, MODES } from './plan.ts'
import { runMoney } from './run-money.ts'

/** Money under kills: `npm run chaos:money -- --seed 7 [--rounds 100] [--kills 12] [--mode cost]`. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    rounds: { type: 'string', default: '100' },
    /** of each mode */
    kills: { type: 'string', default: '12' },
    /** only this budget */
    mode: { type: 'string' },
  },
})

const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const [rounds, kills] = [Number(values.rounds), Number(values.kills)]
if (![seed, rounds, kills].every(Number.isSafeInteger))
  throw new Error('--seed, --rounds and --kills are whole numbers')
const modes = values.mode === undefined ? MODES : MODES.filter((mode) => mode === values.mode)
if (modes.length === 0) throw new Error(`--mode is one of: ${MODES.join(' | ')}`)

const told = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, n]) => `${n} ${what}`)
    .join(', ')

console.log(`seed ${seed}`)
for (const mode of modes) {
  const began = performance.now()
  const report = await runMoney({ seed, mode, rounds, kills })
  const { tokens, toolCost, cost } = report.most
  const { dailyTokens, dailyToolCost, dailyCost } = limitsOf({ mode, rounds, kills })
  const of = (most: number, limit: number | null): string => `${most}${limit === null ? '' : ` of ${limit}`}`
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`
${mode}: ${rounds} rounds, ${report.kills} kills, ${report.commits} commits, ${report.reservations} reservations, ${seconds} s
  most used: ${of(tokens, dailyTokens)} tokens, ${of(toolCost, dailyToolCost)} for tools, ${of(cost, dailyCost)} in all
  rounds ended: ${told(report.ends)}
  calls refused: ${told(report.refusals)}
  violations: ${report.harms.length}`)
  const several = report.harms.slice(0, 20)
  for (const { check, what } of several) console.log(`    ${what} [${check}]`)
  if (report.harms.length === 0) continue
  process.exitCode = 1
  console.log(
    `  kept in ${report.folder}; again: npm run chaos:money -- --seed ${seed} --mode ${mode} --kills ${kills}`,
  )
}
