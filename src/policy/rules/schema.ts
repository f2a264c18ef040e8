import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const schema: Rule = ({ name, schemaError }) =>
  schemaError === undefined
    ? undefined
    : refuse('INVALID', `The arguments of ${name} do not fit: ${schemaError}. Correct them and call again.`)
