import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const limit: Rule = ({ round }) =>
  round.executions >= round.maxExecutions
    ? refuse('LIMIT', `This round has used its ${round.maxExecutions} calls. Answer with the results you have.`)
    : undefined
