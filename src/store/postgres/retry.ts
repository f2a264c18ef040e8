import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../contract/problem.ts'
import { isInDoubt, isRetryable } from './postgres-problem.ts'

const MOST_TRIES = 12
/** After a broken connection another one works at once, or not for a while. */
const MOST_DOUBTS = 2

/** Retries after a conflict or a lost answer, so `work` must be idempotent. */
export async function retry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1, doubts = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const why = error instanceof Problem ? error.cause : error
      if (isInDoubt(why)) doubts += 1
      const goesOn = isRetryable(why) ? tries < MOST_TRIES : doubts > 0 && doubts < MOST_DOUBTS && isInDoubt(why)
      if (!goesOn) throw error
      await delay(Math.min(2 ** tries * 5, 500) * (0.5 + Math.random()))
    }
  }
}
