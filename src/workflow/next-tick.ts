import type { Cron } from 'croner'
import { invalidField } from '../contract/problem.ts'

/** When something is due by the clock of a place. */
export interface Times {
  /** the first time after this one, undefined if there is none */
  next(after: number): number | undefined
}

const FIVE_FIELDS = /^\S+ \S+ \S+ \S+ \S+$/
const MOST_CHARS = 200
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Local times looked through for one that is not over yet, where a clock was put back. */
const MOST_LOOKED_AT = 1500

/** Throws a Problem that names the field. */
export async function readTimes(cron: unknown, timeZone: unknown, now: number): Promise<Times> {
  if (typeof cron !== 'string' || cron.length > MOST_CHARS || !FIVE_FIELDS.test(cron))
    throw invalidField(
      'cron',
      `must have five fields: minute, hour, day of the month, month, day of the week; at most ${MOST_CHARS} characters, such as "0 9 * * 1-5"`,
    )
  const times = await timesOf(cron, timeZone)
  if (times.next(now) === undefined) throw invalidField('cron', 'would never fire')
  return times
}

/**
 * A local time that does not exist, because the clock was put forward, is the next minute that does; one that comes
 * twice counts once, except for what is due in every hour.
 */
export async function timesOf(cron: string, timeZone: unknown): Promise<Times> {
  const zone = readZone(timeZone)
  const isHourly = cron.split(' ')[1] === '*'
  const pattern = await readPattern(cron, isHourly ? zone.resolvedOptions().timeZone : 'UTC')
  const after = (time: number): number | undefined => pattern.nextRun(new Date(time))?.getTime()
  if (isHourly) return { next: after }
  return {
    next(time) {
      // Otherwise the pattern knows nothing of places: it is asked about local times, as if they were UTC.
      let local: number | undefined = time + offsetAt(zone, time)
      for (let looked = 0; looked < MOST_LOOKED_AT; looked++) {
        local = after(local)
        if (local === undefined) return undefined
        const due = instantOf(zone, local)
        if (due > time) return due
      }
      return undefined
    },
  }
}

async function readPattern(cron: string, timezone: string): Promise<Cron> {
  // Only who has schedules needs it.
  const { Cron } = await import('croner')
  try {
    return new Cron(cron, { paused: true, mode: '5-part', timezone })
  } catch {
    throw invalidField(
      'cron',
      'cannot be read; five fields such as "0 9 * * 1-5" say minute, hour, day, month, weekday',
    )
  }
}

function readZone(timeZone: unknown): Intl.DateTimeFormat {
  const fault = invalidField('timeZone', 'must be the name of a time zone, such as Europe/Berlin')
  if (typeof timeZone !== 'string') throw fault
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...PARTS })
  } catch {
    throw fault
  }
}

const PARTS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const

/** How far the local clock is ahead of UTC. */
function offsetAt(zone: Intl.DateTimeFormat, instant: number): number {
  const parts = Object.fromEntries(zone.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

/** The first instant at which the local clock shows this, or if it never does, the first minute after it. */
function instantOf(zone: Intl.DateTimeFormat, local: number): number {
  const before = offsetAt(zone, local - DAY_MS)
  const after = offsetAt(zone, local + DAY_MS)
  const earliest = local - Math.max(before, after)
  const latest = local - Math.min(before, after)
  for (const instant of [earliest, latest]) if (instant + offsetAt(zone, instant) === local) return instant
  // The clock jumps over it somewhere in between.
  let [low, high] = [earliest, latest]
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS
    if (middle + offsetAt(zone, middle) < local) low = middle
    else high = middle
  }
  return high
}
