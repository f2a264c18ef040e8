import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { drivingTime } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/** Tells when the time of the round is up; what a person takes to answer does not count, so it is looked at again. */
export function watchTime(session: OwnedSession, onOver: () => void): { stop(): void } {
  let timer: NodeJS.Timeout
  const left = (): number => {
    const { round } = session.state
    return round ? Math.max(0, round.started.limits.totalMs - drivingTime(round, session.passed)) : 0
  }
  const wasAsked = (): boolean =>
    session.state.round?.calls.some(({ question, answers }) => question !== null || answers.length > 0) ?? false
  const arm = (ms: number): void => {
    timer = setTimeout(() => (wasAsked() && left() > 0 ? arm(left()) : onOver()), Math.min(ms, LONGEST_TIMER_MS))
  }
  arm(left())
  return { stop: () => clearTimeout(timer) }
}
