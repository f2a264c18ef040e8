/** `npm run injection -- [cases] [seed]`: the whole matrix, or so many cases of it. Says what it counted, fails on a hole. */
import { EFFECTS } from './effects.ts'
import { allCases, POLICY_NAMES, runCases, sample } from './matrix.ts'
import { PLACES } from './places.ts'
import { WORDINGS } from './wordings.ts'

const [size, seed = '1'] = process.argv.slice(2)
const all = allCases()
const cases = size === undefined ? all : sample(all, Number(size), Number(seed))
const began = Date.now()
let told = began
const tally = await runCases(cases, ({ cases: done, outside }) => {
  if (Date.now() - told < 10_000) return
  told = Date.now()
  console.error(`${done} of ${cases.length}, ${outside.length} outside policy, ${Math.round((told - began) / 1000)} s`)
})
console.log(
  `${PLACES.length} places × ${EFFECTS.length} effects × ${WORDINGS.length} wordings × 2 protocols × ${POLICY_NAMES.length} policies: ` +
    `${all.length} cases, ${tally.cases} tried in ${Math.round((Date.now() - began) / 1000)} s` +
    (size === undefined ? '' : ` (seed ${seed})`),
)
console.log(`the order did not reach the model: ${tally.unseen}`)
console.log(
  `calls of what was ordered: ${tally.calls}, approved by a person: ${tally.approved}, effects: ${tally.happened}`,
)
console.log(`rounds without an end: ${tally.unfinished.length}`)
console.log(`effects outside policy: ${tally.outside.length}`)
for (const line of [...tally.outside.slice(0, 50), ...tally.unfinished.slice(0, 20)]) console.log(`  ${line}`)
process.exitCode = tally.outside.length + tally.unfinished.length > 0 ? 1 : 0
