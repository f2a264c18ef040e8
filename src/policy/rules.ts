import { isEnabled, may, mayUseTool } from '../contract/actor.ts'
import type { RefusalCode, Verdict } from '../contract/outcome.ts'
import type { Policy } from '../contract/policy.ts'
import { approval } from './approval.ts'
import { decide } from './decide.ts'
import type { Facts } from './facts.ts'

/** A rule returns a verdict, or nothing to leave it to the next rule; only the last one can allow. */
export type Rule = (facts: Facts, policy: Policy) => Verdict | undefined

export const refuse = (code: RefusalCode, message: string): Verdict => ({ kind: 'refuse', code, message })

export const parse: Rule = ({ name, unparsed }) =>
  unparsed === undefined
    ? undefined
    : refuse('INVALID', `The arguments of ${name} are not a JSON object. Send the call again with valid JSON.`)

export const exists: Rule = ({ name, tool, missing = `There is no tool called ${name}.` }) =>
  tool ? undefined : refuse('UNKNOWN_TOOL', `${missing} Use one of the tools you were offered.`)

export const schema: Rule = ({ name, schemaError }) =>
  schemaError === undefined
    ? undefined
    : refuse('INVALID', `The arguments of ${name} do not fit: ${schemaError}. Correct them and call again.`)

/** Repeating a pure call is harmless in a unified round; a triggered one has only a few executions. */
export const duplicate: Rule = ({ name, tool, signature, round }) => {
  if (!round.signatures.has(signature)) return undefined
  if (round.protocol === 'unified' && tool?.effect === 'pure') return undefined
  return refuse('DUPLICATE', `${name} was already called with these arguments. Use the result you have.`)
}

export const mode: Rule = ({ name, tool, round }) => {
  if (round.mode === 'plan' && tool?.effect !== 'pure')
    return refuse(
      'MODE',
      `${name} can change things and this round is only for planning. Say what you would do instead.`,
    )
  // There a call ends what is said, so models say it with tags instead.
  return tool?.remembers && round.protocol === 'triggered'
    ? refuse('MODE', `${name} cannot be called in this round. Answer without it.`)
    : undefined
}

/** A sender can only take tools away from the round. */
export const enabled: Rule = ({ name, round: { enableTools, onlyTools } }) =>
  isEnabled(enableTools, name) && isEnabled(onlyTools, name)
    ? undefined
    : refuse('MODE', `This round may not use ${name}. Answer without it.`)

export const permission: Rule = ({ name, tool, round: { permissions } }) =>
  mayUseTool(permissions, name) &&
  (tool?.needs === undefined || may({ permissions }, tool.needs)) &&
  (!tool?.remembers || may({ permissions }, 'memory:write'))
    ? undefined
    : refuse('PERMISSION', `The user this is done for may not use ${name}.`)

const consent: Rule = ({ name, withoutConsent }) =>
  withoutConsent
    ? refuse('PERMISSION', `The user's preferences do not allow ${name}. Say so and answer without it.`)
    : undefined

const folder: Rule = ({ folderRefused }) => (folderRefused === undefined ? undefined : refuse('FOLDER', folderRefused))

const denied: Rule = (facts, policy) => {
  const { decide: word, because } = decide(facts, policy)
  return word === 'deny'
    ? refuse(
        'POLICY',
        `${facts.name} may not be used like this (${because}). Do not try again; say what you cannot do.`,
      )
    : undefined
}

/** With a budget, a call of unknown cost is refused. */
export const cost: Rule = ({ name, estimate: { confidence }, budget }) => {
  if (confidence === 'failed')
    return refuse('COST_ESTIMATE_FAILED', `What ${name} would cost could not be worked out, so it was not called.`)
  if (budget !== undefined && (confidence === 'unknown' || confidence === 'unpriced'))
    return refuse(
      'COST_ESTIMATE_FAILED',
      `There is a daily budget, and nobody said what ${name} costs, so it was not called. Who runs Segno can say so in ` +
        'SEGNO_POLICY or SEGNO_ASSUMED_TOOL_COST, or for a model in SEGNO_MODELS or SEGNO_ASSUMED_PRICES.',
    )
  return undefined
}

export const limit: Rule = ({ name, tool, round }) => {
  if (tool?.remembers)
    return round.remembered >= round.maxRemembered ? notedEnough(name, round.maxRemembered) : undefined
  return round.executions >= round.maxExecutions
    ? refuse('LIMIT', `This round has used its ${round.maxExecutions} calls. Answer with the results you have.`)
    : undefined
}

const notedEnough = (name: string, most: number): Verdict =>
  refuse('LIMIT', `This round has already noted ${most} things about the user. Go on without ${name}.`)

export const budget: Rule = ({ name, estimate, budget: left }) =>
  left !== undefined && estimate.cost > left
    ? refuse('BUDGET_EXCEEDED', `${name} would cost more than is left of the budget.`)
    : undefined

/** In this order: an earlier rule cannot be overruled by a later one. */
export const RULES: readonly Rule[] = [
  parse,
  exists,
  schema,
  duplicate,
  mode,
  enabled,
  permission,
  consent,
  folder,
  denied,
  cost,
  limit,
  budget,
  approval,
]
