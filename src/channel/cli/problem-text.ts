import { ApiProblem } from '../../client/index.ts'
import type { Problem } from '../../contract/problem.ts'

/** Adds advice that only people at this machine can use. */
export function problemText(problem: Problem): string {
  const { code, message } = problem
  if (code === 'KEY_REQUIRED')
    return `${message} Commands take it from SEGNO_KEY. If nobody has one: stop Segno, segno keys add NAME --role super_admin --operator, start it again.`
  if (code === 'STORE_CORRUPT' && problem instanceof ApiProblem)
    return 'The database is damaged: a part of it cannot be read. segno db check tells more; restore a backup.'
  return message
}
