import { systemClock, type Clock } from '../lib/clock.ts'
import { cleanFields, SENTENCES, type LogFields, type Sentence } from './log-fields.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off'

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off']

export type Say = (sentence: Sentence, fields?: LogFields) => void

/** One JSON line for each thing said. It has no room for content; see log-fields.ts. */
export interface Log {
  readonly debug: Say
  readonly info: Say
  readonly warn: Say
  readonly error: Say
}

export interface LogOptions {
  readonly level: LogLevel
  /** gets a whole line with its end; default: standard error */
  readonly write?: (line: string) => void
  readonly clock?: Clock
}

export function createLog({ level, write = toStandardError, clock = systemClock }: LogOptions): Log {
  const lowest = LEVELS.indexOf(level)

  function at(own: Exclude<LogLevel, 'off'>): Say {
    if (LEVELS.indexOf(own) < lowest) return () => {}
    return (sentence, fields = {}) => {
      // Code without types could give any text here; only sentences of ours are said.
      if (!Object.hasOwn(SENTENCES, sentence)) return
      const said = { time: new Date(clock.now()).toISOString(), level: own, event: sentence }
      const line = JSON.stringify({ ...said, message: SENTENCES[sentence], ...cleanFields(fields) })
      try {
        write(`${line}\n`)
      } catch {
        // A log that cannot be written must not stop what it tells of.
      }
    }
  }

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

function toStandardError(line: string): void {
  process.stderr.write(line)
}
