import { systemClock, type Clock } from '../lib/clock.ts'
import { cleanFields, SENTENCES, type LogFields, type LogEvent } from './log-fields.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']

type WriteEntry = (event: LogEvent, fields?: LogFields) => void

/** One JSON line per entry, without room for content; see log-fields.ts. */
export type Log = Readonly<Record<Exclude<LogLevel, 'off'>, WriteEntry>>

export interface LogOptions {
  readonly level: LogLevel
  /** gets a whole line with its line break; by default standard error */
  readonly write?: (line: string) => void
  readonly clock?: Clock
}

export function createLog({ level, write = toStandardError, clock = systemClock }: LogOptions): Log {
  const lowest = LEVELS.indexOf(level)

  function at(own: keyof Log): WriteEntry {
    if (LEVELS.indexOf(own) < lowest) return () => {}
    return (event, fields = {}) => {
      // Untyped code could pass any text.
      if (!Object.hasOwn(SENTENCES, event)) return
      const head = { time: new Date(clock.now()).toISOString(), level: own, event }
      const line = JSON.stringify({ ...head, message: SENTENCES[event], ...cleanFields(fields) })
      try {
        write(`${line}\n`)
      } catch {
        // A log that cannot be written must not stop the work it describes.
      }
    }
  }

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function toStandardError(line: string): void {
  process.stderr.write(line)
}
