import type { Tool } from '../../contract/tool.ts'
import { textArgument } from './text-argument.ts'

export function datetime(now: () => number): Tool {
  return {
    name: 'datetime',
    description: 'Tells the current date, weekday and time, in UTC or in a given time zone.',
    input: {
      type: 'object',
      properties: {
        timezone: { type: 'string', maxLength: 100, default: 'UTC', description: 'IANA name, such as Africa/Kigali' },
      },
      additionalProperties: false,
    },
    effect: 'pure',
    own: true,
    run: (args) => timeText(now(), textArgument(args, 'timezone', 'UTC')),
  }
}

function timeText(at: number, timeZone: string): string {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? ''
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00'
  const date = `${part('year')}-${part('month')}-${part('day')}`
  const time = `${part('hour')}:${part('minute')}:${part('second')}`
  return `${date}T${time}${offset} (${part('weekday')}, ${timeZone})`
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      timeZoneName: 'longOffset',
      hourCycle: 'h23',
      weekday: 'long',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  } catch {
    throw new Error(`timezone: expected an IANA name such as Europe/Paris or Africa/Kigali, got "${timeZone}"`)
  }
}
