import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const permission: Rule = ({ name, round: { permissions } }) =>
  ['*', 'tool:*', 'tool:invoke', `tool:${name}`].some((one) => permissions.includes(one))
    ? undefined
    : refuse('PERMISSION', `The user this is done for may not use ${name}.`)
