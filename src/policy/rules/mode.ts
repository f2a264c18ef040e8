import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const mode: Rule = ({ name, tool, round }) =>
  round.mode === 'plan' && tool?.effect !== 'pure'
    ? refuse('MODE', `${name} can change things and this round is only for planning. Say what you would do instead.`)
    : undefined
