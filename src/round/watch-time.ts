import { LONGEST_TIMER_MS } from '../lib/longest-timer.ts'
import { runningTime } from '../session/index.ts'
import type { OwnedSession } from './owned-session.ts'

/**
 * Calls `onOver` when the round's time is up; time spent waiting for a person's answer does not count. Without a round
 * there is no such time: Segno's own questions have their own.
 */
export function watchTime(session: OwnedSession, onOver: () => void): { stop(): void } {
  let timer: NodeJS.Timeout
  const left = (): number => {
    const { round } = session.state
    return round ? Math.max(0, round.started.limits.totalMs - runningTime(round, session.passed)) : LONGEST_TIMER_MS
  }
  const wasAsked = (): boolean =>
    session.state.round?.calls.some(({ question, answers }) => question !== null || answers.length > 0) ?? false
  const arm = (ms: number): void => {
    timer = setTimeout(() => (wasAsked() && left() > 0 ? arm(left()) : onOver()), Math.min(ms, LONGEST_TIMER_MS))
  }
  arm(left())
  return { stop: () => clearTimeout(timer) }
}
