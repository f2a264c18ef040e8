import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

/** Reading twice is harmless where many calls are allowed; where a round has three executions it is not. */
export const duplicate: Rule = ({ name, tool, signature, round }) => {
  if (!round.signatures.has(signature)) return undefined
  if (round.protocol === 'unified' && tool?.effect === 'pure') return undefined
  return refuse('DUPLICATE', `${name} was already called with these arguments in this round. Use the result you have.`)
}
