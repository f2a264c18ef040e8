import { Problem } from '../contract/problem.ts'

/** Said to whoever sends a message while Segno stops. */
export function stoppingProblem(cause?: Error): Problem {
  const why = 'Segno is stopping and takes no new messages; try again soon.'
  return new Problem('SHUTTING_DOWN', why, { retryAfterMs: 5000, ...(cause && { cause }) })
}
