import { describe, expect, test } from 'vitest'
import { Problem } from '../contract/problem.ts'
import { readTimes, timesOf } from './next-tick.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

/** The first times after one, as UTC. */
async function times(cron: string, timeZone: string, after: string, most: number): Promise<string[]> {
  const { next } = await timesOf(cron, timeZone)
  const found: string[] = []
  for (let at = next(Date.parse(after)); at !== undefined && found.length < most; at = next(at))
    found.push(new Date(at).toISOString().slice(0, 16))
  return found
}

describe('the times of a schedule', () => {
  test('are those of the clock at its place', async () => {
    expect(await times('0 9 * * 1-5', 'Africa/Kigali', '2026-11-19T08:00:00Z', 3)).toEqual([
      '2026-11-20T07:00',
      '2026-11-23T07:00',
      '2026-11-24T07:00',
    ])
    expect(await times('15 3 * * *', 'Asia/Kathmandu', '2026-11-19T08:00:00Z', 1)).toEqual(['2026-11-19T21:30'])
  })

  test('come after the time that is asked about, never at it', async () => {
    expect(await times('0 9 * * *', 'UTC', '2026-11-19T09:00:00Z', 1)).toEqual(['2026-11-20T09:00'])
    expect(await times('0 9 * * *', 'UTC', '2026-11-19T08:59:59.999Z', 1)).toEqual(['2026-11-19T09:00'])
  })

  test('of which the clock jumps over one are the next minute that there is', async () => {
    expect(await times('30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    // At midnight, and by half an hour.
    expect(await times('10 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', 2)).toEqual([
      '2026-04-23T22:00',
      '2026-04-24T21:10',
    ])
    expect(await times('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2)).toEqual([
      '2026-10-03T15:30',
      '2026-10-04T15:15',
    ])
  })

  test('of which the clock jumps over several are that minute once', async () => {
    expect(await times('0,20,40 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:00',
    ])
  })

  test('of a day that never was are the first minute after it', async () => {
    expect(await times('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T22:00',
      '2011-12-30T10:00',
      '2011-12-30T22:00',
    ])
  })

  test('that come twice, because the clock is put back, count once, the first time', async () => {
    expect(await times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30',
      '2026-10-26T01:30',
    ])
    expect(await times('0,45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00:00Z', 3)).toEqual([
      '2026-04-04T14:00',
      '2026-04-04T14:45',
      '2026-04-05T14:30',
    ])
    // Also if it is asked about in between.
    expect(await times('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:15:00Z', 1)).toEqual(['2026-10-26T01:30'])
  })

  test('of every hour come in every hour that passes', async () => {
    for (const [zone, from] of [
      ['Europe/Berlin', '2026-10-24T22:10:00Z'],
      ['Europe/Berlin', '2026-03-28T22:10:00Z'],
      ['Africa/Cairo', '2026-04-23T19:10:00Z'],
    ] as const) {
      const found = (await times('30 * * * *', zone, from, 8)).map((time) => Date.parse(`${time}Z`))
      expect(found.map((time, i) => (time - (found[0] ?? 0)) / 3_600_000 - i)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    }
  })

  test('never go back, wherever it is and whatever its clock does', async () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'America/Nuuk',
      'UTC',
    ]
    for (const zone of zones)
      for (const cron of ['*/7 * * * *', '30 2 * * *', '0 0 * * 0', '5,59 1-3 * * *', '0 */6 1,15 * *']) {
        const { next } = await timesOf(cron, zone)
        let at = Date.parse('2026-01-01T00:00:00Z')
        for (let i = 0; i < 300; i++) {
          const then = next(at) ?? Infinity
          expect(then).toBeGreaterThan(at)
          expect(then % 60_000).toBe(0)
          at = then
        }
      }
  })
})

/** The fault that somebody is told. */
async function faultOf(cron: unknown, timeZone: unknown = 'UTC'): Promise<string> {
  try {
    await readTimes(cron, timeZone, NOW)
  } catch (error) {
    if (error instanceof Problem && error.code === 'VALIDATION_ERROR') return error.message
    throw error
  }
  return 'nothing is wrong'
}

describe('what is no schedule is refused, and says why', () => {
  for (const cron of ['0 9 * * 1-5', '*/30 * * * *', '0 0 29 2 *', '0 9 1 JAN MON', '0 0 L * *'])
    test(`${cron} is one`, async () => {
      expect(await faultOf(cron)).toBe('nothing is wrong')
    })

  for (const cron of ['0 0 31 2 *', '0 0 30 2 *', '0 0 31 4,6,9,11 *', '59 23 31 11 *'])
    test(`${cron} would never fire`, async () => {
      expect(await faultOf(cron)).toMatch(/cron.* would never fire/)
    })

  for (const cron of [
    '',
    ' ',
    '* * * *',
    '* * * * * *',
    '@daily',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '*/0 * * * *',
    '5-1-3 * * * *',
    'a b c d e',
    '-1 * * * *',
    '1e3 * * * *',
    '٣ * * * *',
    '* * * * *\n',
    `${'0,'.repeat(100)}0 * * * *`,
    `${'1'.repeat(100)} * * * *`,
    '*'.repeat(1_000_000),
    `${'* '.repeat(500_000)}*`,
    undefined,
    null,
    5,
    ['0', '9', '*', '*', '*'],
    {},
  ])
    test(`${JSON.stringify([cron]).slice(1, 40)} cannot be read`, async () => {
      expect(await faultOf(cron)).toMatch(/^cron/)
    })

  for (const zone of [
    '',
    'Europe/Atlantis',
    '+99:99',
    'UTC+25',
    'Europe/Berlin\n',
    '../etc',
    'x'.repeat(1_000_000),
    null,
    5,
    {},
  ])
    test(`${JSON.stringify(zone).slice(0, 40)} is no time zone`, async () => {
      expect(await faultOf('0 9 * * *', zone)).toMatch(/^timeZone/)
    })
})
