import { setImmediate as nextTurn } from 'node:timers/promises'

/** One of the things that are compared. Only `run` is timed. */
export interface Side {
  prepare?(): Promise<void>
  run(): void | Promise<void>
}

export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/**
 * Times the sides in turns, so that whatever else happens on the machine happens to all of them, and changes who
 * begins. Returns milliseconds by side.
 */
export async function interleave(sides: readonly Side[], samples: number, warmUp: number): Promise<number[][]> {
  const times = sides.map((): number[] => [])
  for (let i = -warmUp; i < samples; i++) {
    for (let j = 0; j < sides.length; j++) {
      const which = (i + warmUp + j) % sides.length
      const ms = await time(sides[which] as Side)
      if (i >= 0) times[which]?.push(ms)
    }
  }
  return times
}

async function time(side: Side): Promise<number> {
  await side.prepare?.()
  await nextTurn()
  const start = performance.now()
  const done = side.run()
  if (done) await done
  return performance.now() - start
}

/** The median with the quartiles around it. */
export function spreadOf(values: readonly number[] = []): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? NaN
  return { low: at(0.25), median: at(0.5), high: at(0.75) }
}
