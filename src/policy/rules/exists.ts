import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const exists: Rule = ({ name, tool }) =>
  tool ? undefined : refuse('UNKNOWN_TOOL', `There is no tool called ${name}. Use one of the tools you were offered.`)
