import { atMost, type Aim, type Line } from '../report.ts'
import { spreadOf, type Spread } from '../sampling.ts'

/** A line from values that were measured in turns; its ratio is the median of the ratios of each turn. */
export function sideBySide(
  name: string,
  segno: readonly number[] = [],
  floor: readonly number[] = [],
  show: (value: number) => string,
  aim: (ratio: number) => { aim?: Aim } = () => ({}),
): Line {
  const ratio = spreadOf(segno.map((value, i) => value / (floor[i] ?? NaN)))
  console.error(`  ${name}: ratio ${ratio.median.toFixed(2)} (${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)})`)
  return {
    name,
    segno: inWords(spreadOf(segno), show),
    floor: inWords(spreadOf(floor), show),
    ratio: ratio.median,
    ...aim(ratio.median),
  }
}

function inWords({ low, median, high }: Spread, show: (value: number) => string): string {
  return `${show(median)} (${show(low)}–${show(high)})`
}

export const noMoreThan =
  (limit: number) =>
  (ratio: number): { aim?: Aim } =>
    atMost(ratio, limit)

export const noLessThan =
  (limit: number) =>
  (ratio: number): { aim: Aim } => ({ aim: { text: `≥ ${limit}×`, reached: ratio >= limit } })

export const perSecond = (value: number): string => `${value.toFixed(0)}/s`
export const ofCpu = (ms: number): string => `${ms.toFixed(2)} ms`
