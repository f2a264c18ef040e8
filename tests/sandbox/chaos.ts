import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { machineHas } from './support/machine-has.ts'
import { survivors } from './support/marked.ts'
import { makePlace, VARIANTS } from './support/variants.ts'

/** Kills Segno at random moments while a sandbox is being built or in use; nothing may be left after three seconds. */
const { values } = parseArgs({ options: { kills: { type: 'string', default: '200' } } })
const LATEST_MS = 150

let left = 0
let done = 0
for (; done < Number(values.kills); done += 1) {
  const variant = VARIANTS[done % VARIANTS.length]
  if (variant === undefined) break
  const place = await makePlace(variant)
  if ('kind' in place.runner.found) {
    const mark = `chaos-${process.pid}-${done}`
    const daemon = `setsid perl -e "sleep 30" ${mark} >/dev/null 2>&1 &`
    void place.runner.start(`${daemon} perl -e "sleep 30" ${mark}`, place.folder, 60_000)
    const ms = Math.random() * LATEST_MS
    await setTimeout(ms)
    await place.runner.kill()
    const found = await survivors(mark)
    if (found.length > 0)
      console.log(`${variant.kind} as ${variant.uid ?? 'oneself'}, ${ms.toFixed(1)} ms: ${found.join(' ')}`)
    left += found.length
  } else if (machineHas(variant.kind)) throw new Error(place.runner.found.missing)
  await place.close()
}
console.log(`${done} kills, ${left} processes left`)
process.exitCode = left === 0 ? 0 : 1
