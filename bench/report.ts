import { spreadOf, type Spread } from './sampling.ts'

/** One line of the table. A line without an aim is there to be looked at. */
export interface Line {
  readonly name: string
  readonly segno: string
  readonly floor: string
  readonly ratio: number
  readonly aim?: Aim
}

export interface Aim {
  readonly text: string
  readonly reached: boolean
  /** the run fails if it is not reached */
  readonly isMust?: boolean
}

/** The aim most lines have: the ratio stays under a number. */
export function atMost(ratio: number, limit: number | undefined): { aim?: Aim } {
  return limit === undefined ? {} : { aim: { text: `≤ ${limit}×`, reached: ratio <= limit } }
}

export function compare(name: string, segno: number[] = [], floor: number[] = [], limit?: number): Line {
  const ours = spreadOf(segno)
  const theirs = spreadOf(floor)
  const ratio = ours.median / theirs.median
  return { name, segno: inMs(ours), floor: inMs(theirs), ratio, ...atMost(ratio, limit) }
}

export function inMs({ low, median, high }: Spread): string {
  return `${show(median)} ms (${show(low)}–${show(high)})`
}

const show = (value: number): string => value.toFixed(value < 10 ? 3 : 1)

export function printTable(lines: readonly Line[]): void {
  const head = ['', 'Segno', 'floor', 'ratio', 'aim', 'reached']
  const rows = lines.map(({ name, segno, floor, ratio, aim }) => [
    name,
    segno,
    floor,
    `${ratio.toFixed(2)}×`,
    aim?.text ?? '',
    aim ? (aim.reached ? 'yes' : 'no') : '',
  ])
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  for (const row of [head, widths.map((width) => '-'.repeat(width)), ...rows]) {
    console.log(`| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  }
}
