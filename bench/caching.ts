import type { Protocol } from '../src/contract/outcome.ts'
import { anthropicBill, type Bill } from '../tests/support/caching/anthropic-bill.ts'
import { keptBeforeEach, keptFromEach, type Kept } from '../tests/support/caching/kept-bytes.ts'
import { recordSession } from '../tests/support/caching/record-session.ts'
import { WIRE_NAMES } from '../tests/support/faulty-provider/wires.ts'
import type { Place } from './place.ts'
import type { Line } from './report.ts'

/** The least share of what should be kept, and what Anthropic's input may cost, ideally 1. */
const LEAST = { unified: 0.95, triggered: 1 } as const
const MOST_COST = { unified: 1.15, triggered: 1.5 } as const
/** A round may change what was sent once. */
const MOST_PARTINGS = 1

/** Does each request begin with the one before, so that a provider's prompt cache holds? */
export async function benchCaching(place: Place): Promise<Line[]> {
  const lines: Line[] = []
  for (const protocol of ['unified', 'triggered'] as const) {
    for (const wire of WIRE_NAMES) {
      const bodies = await recordSession(place.folder('caching'), wire, protocol)
      const kept = protocol === 'unified' ? keptFromEach(bodies) : keptBeforeEach(bodies)
      tellPartings(`${wire}, ${protocol}`, kept, LEAST[protocol])
      lines.push(lineOf(wire, protocol, kept))
      if (wire === 'anthropic') lines.push(billLine(protocol, anthropicBill(bodies)))
    }
  }
  return lines
}

function lineOf(wire: string, protocol: Protocol, kept: readonly Kept[]): Line {
  const lowest = Math.min(...kept.map(({ share }) => share))
  const bytes = kept.reduce((sum, one) => sum + one.bytes, 0)
  const all = kept.reduce((sum, one) => sum + one.bytes * one.share, 0) / bytes
  const whole = kept.filter(({ parting }) => !parting).length
  const least = kept.length - (protocol === 'unified' ? MOST_PARTINGS : 0)
  return {
    name: `${wire}: what ${protocol === 'unified' ? 'each request' : 'each request had before its round'} the next keeps`,
    segno: `all in ${whole} of ${kept.length}, ${percent(all)} of the bytes, lowest ${percent(lowest)}`,
    floor: '100 %',
    ratio: lowest,
    aim: { text: `all in ≥ ${least}`, reached: whole >= least, isMust: true },
  }
}

/** What the input of the whole session costs at Anthropic's prices, beside a cache that never misses. */
function billLine(protocol: Protocol, { cost, ideal }: Bill): Line {
  const most = MOST_COST[protocol]
  return {
    name: `anthropic: what the input of a ${protocol} session costs`,
    segno: `${Math.round(cost)} tokens at full price`,
    floor: `${Math.round(ideal)} tokens`,
    ratio: cost / ideal,
    aim: { text: `≤ ${most}×`, reached: cost / ideal <= most, isMust: protocol === 'unified' },
  }
}

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

/** Where requests part, to find out why. */
function tellPartings(name: string, kept: readonly Kept[], least: number): void {
  kept.forEach(({ share, parting }, at) => {
    if (share >= least || !parting) return
    console.error(`${name}: request ${at + 2} keeps ${percent(share)} of the one before`)
    console.error(`  before: …${JSON.stringify(parting[0])}\n  then:   …${JSON.stringify(parting[1])}`)
  })
}
