import type { Sender } from './sender.ts'
import type { Transcript } from './transcript.ts'

/** What is still going on when a person leaves. */
export interface Left {
  /** Segno runs in this process and ends with it */
  readonly isHere: boolean
  readonly round: 'running' | 'waiting' | 'result' | 'paused' | undefined
  /** names of the running tools */
  readonly running: readonly string[]
  /** number of unsent messages */
  readonly queued: number
}

export interface LeavingOptions {
  left(): Left
  say: Transcript['say']
  leave(): void
}

export function leftBehind(
  { pending, running, later, open }: Transcript,
  { since, queue }: Sender,
  isHere: boolean,
): Left {
  const state = later.length > 0 ? 'result' : (open?.state ?? (since === undefined ? undefined : 'running'))
  return {
    isHere,
    round: pending.length > 0 ? 'waiting' : state,
    running: running.map(({ name }) => name),
    queued: queue.length,
  }
}

/** Running calls get this long to finish, because an interrupted one has an unknown effect. */
const LAST_CALLS_MS = 10_000

export function createLeaving({ left, say, leave }: LeavingOptions) {
  let told: string | undefined
  let waiting: NodeJS.Timeout | undefined
  return {
    get isWaiting() {
      return waiting !== undefined
    },
    /** The first time says what would be interrupted, the second time leaves. */
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
    /** Called after each frame: leaves when the last call has finished. */
    look(): void {
      const { running, round } = left()
      if (round === undefined) told = undefined
      if (waiting && running.length === 0) leave()
    },
    end: (): void => clearTimeout(waiting),
  }
}

/** Undefined if nothing would be interrupted. */
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
