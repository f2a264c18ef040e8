import { mayUseTool } from '../../contract/actor.ts'
import type { Rule } from '../judge.ts'
import { refuse } from './refuse.ts'

export const permission: Rule = ({ name, round: { permissions } }) =>
  mayUseTool(permissions, name) ? undefined : refuse('PERMISSION', `The user this is done for may not use ${name}.`)
