import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const parse: Rule = ({ name, unparsed }) =>
  unparsed === undefined
    ? undefined
    : refuse('INVALID', `The arguments of ${name} are not a JSON object. Send the call again with valid JSON.`)
