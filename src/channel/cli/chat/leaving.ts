import type { Transcript } from './transcript.ts'

/** What somebody would leave behind. */
export interface Left {
  /** Segno runs in this process, and ends with it */
  readonly isHere: boolean
  readonly round: 'running' | 'waiting' | 'result' | 'paused' | undefined
  /** tools that are at work */
  readonly running: readonly string[]
  /** messages that wait to be sent */
  readonly queued: number
}

export interface LeavingOptions {
  left(): Left
  say: Transcript['say']
  leave(): void
}

/** A call that is at work when somebody leaves gets this long to finish: nobody would know what it has done. */
const LAST_CALLS_MS = 10_000

export function createLeaving({ left, say, leave }: LeavingOptions) {
  let told: string | undefined
  let waiting: NodeJS.Timeout | undefined
  return {
    /** somebody leaves, and calls get time to finish */
    get isWaiting() {
      return waiting !== undefined
    },
    /** Somebody wants to leave: is told first what becomes of what runs and waits, and leaves when they want it again. */
    quit(): void {
      const now = left()
      const words = leavingWords(now)
      if (waiting || words === undefined) return leave()
      if (words !== told) {
        told = words
        return say(words, 'careful')
      }
      if (!now.isHere || now.running.length === 0) return leave()
      say(`${now.running.join(', ')} gets ${LAST_CALLS_MS / 1000} s to finish. Ctrl-D leaves now.`, 'careful')
      waiting = setTimeout(leave, LAST_CALLS_MS)
    },
    /** Something has happened: perhaps the last call has finished. */
    look(): void {
      const { running, round } = left()
      if (round === undefined) told = undefined
      if (waiting && running.length === 0) leave()
    },
    /** It is over: no timer goes on. */
    end: (): void => clearTimeout(waiting),
  }
}

/** What would happen to what runs and waits; undefined: nothing to tell. */
export function leavingWords(left: Left): string | undefined {
  const words = [...roundWords(left), ...queueWords(left)]
  return words.length === 0 ? undefined : [...words, 'Ctrl-D or /quit again leaves.'].join(' ')
}

function roundWords({ isHere, round, running }: Left): string[] {
  if (round === undefined || round === 'paused') return []
  if (round === 'waiting') return ['The question waits, and is asked again when you come back.']
  if (!isHere) return ['The answer goes on without you.']
  if (round === 'result') return ['A result is still to come; the answer goes on when you come back.']
  if (running.length === 0) return ['The answer stops, and goes on when you come back.']
  return [`${running.join(', ')} would get ${LAST_CALLS_MS / 1000} s to finish; the answer goes on when you come back.`]
}

function queueWords({ queued }: Left): string[] {
  if (queued === 0) return []
  return [`${queued === 1 ? 'A message waits' : `${queued} messages wait`} to be sent and would be lost.`]
}
