import { LOCAL_OWNER } from '../../src/contract/actor.ts'
import { Problem } from '../../src/contract/problem.ts'
import { delay } from '../../src/lib/delay.ts'
import type { Segno } from '../../src/segno.ts'
import type { Driving } from './drive-episode.ts'
import { hear } from './hear.ts'

const REST_MS = 10

/** Decides what the round asks, once for each approval that was not acknowledged before. Never resolves. */
export async function answerAsks(
  driving: Driving,
  sessionId: string,
  requestId: string,
  signal: AbortSignal,
): Promise<never> {
  const { segno, known, episode, hit } = driving
  const { decision, question } = episode
  if (!decision && !question) return new Promise(() => {})
  while (!signal.aborted) {
    const round = await segno.rounds.get(LOCAL_OWNER, requestId)
    if (round.state === 'waiting') {
      await delay(REST_MS)
      hit('waiting for approval')
      if (episode.fork === 'waiting') await driving.fork(episode, sessionId)
    }
    if (round.state === 'waiting' || question) {
      const pending = await segno.rounds.approvals(LOCAL_OWNER, 'pending')
      for (const { id, requestId: asking, isQuestion, requestedAt } of pending) {
        if (asking !== requestId || known.decided.includes(id)) continue
        // What an earlier life asked is withdrawn when this one goes on with the round.
        if (isQuestion && requestedAt < performance.timeOrigin) continue
        if (isQuestion) hit('question open')
        if (await decide(segno, sessionId, id, isQuestion ? 'approve' : decision)) hit('decision acknowledged')
        known.decided.push(id)
      }
    }
    await delay(2)
  }
  return new Promise(() => {})
}

/** False where somebody decided before: an earlier life, which died before it could say so. */
async function decide(
  segno: Segno,
  sessionId: string,
  approvalId: string,
  decision: 'approve' | 'deny' = 'approve',
): Promise<boolean> {
  try {
    await segno.rounds.decide(LOCAL_OWNER, approvalId, { decision })
  } catch (error) {
    if (error instanceof Problem && error.code === 'CONFLICT') return false
    throw error
  }
  hear({ type: 'decided', sessionId, approvalId, decision })
  return true
}
