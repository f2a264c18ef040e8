import { isCost, isQuota } from '../contract/check-cost.ts'
import type { Policy, PolicyRule } from '../contract/policy.ts'
import { Problem } from '../contract/problem.ts'
import { isObject, type Loose } from '../lib/is.ts'
import { objectIn } from '../lib/object-in.ts'
import { isHostPattern, isPathPattern } from './patterns.ts'

const RULE_FIELDS = 'decide tool host path command args mode permission workspace tainted because'.split(' ')
const DECISIONS = ['allow', 'ask', 'always', 'deny']
const PATTERN_FIELDS = ['tool', 'host', 'path', 'command', 'workspace'] as const

/** A policy as it is written, checked field by field. `where` is what it is called in a message. */
export function readPolicy(given: unknown, where: string): Policy {
  const faults: string[] = []
  const policy = parsed(given, faults)
  for (const name of Object.keys(policy))
    if (!['rules', 'otherwise', 'tools'].includes(name))
      faults.push(`${name} is not known; expected rules, otherwise or tools`)
  const { rules = [], otherwise, tools = {} } = policy
  if (!Array.isArray(rules)) faults.push('rules: expected a list')
  else rules.forEach((rule, at) => checkRule(rule, `rules[${at}]`, faults))
  if (otherwise !== undefined && otherwise !== 'declared' && otherwise !== 'deny')
    faults.push('otherwise: expected "declared" or "deny"')
  if (!isObject(tools)) faults.push('tools: expected an object of tool names')
  else for (const [name, tool] of Object.entries(tools)) checkTool(tool, `tools.${name}`, faults)
  if (faults.length > 0)
    throw new Problem('CONFIG_ERROR', `${where} cannot be used: ${faults.join('; ')}.`, { field: where })
  return policy
}

/** The rules of the first come first; what either refuses by silence, both do. Of a tool the first one's word counts. */
export function joinPolicies(first: Policy, second: Policy): Policy {
  return {
    rules: [...(first.rules ?? []), ...(second.rules ?? [])],
    otherwise: first.otherwise === 'deny' || second.otherwise === 'deny' ? 'deny' : 'declared',
    tools: Object.fromEntries(
      [...new Set([...Object.keys(second.tools ?? {}), ...Object.keys(first.tools ?? {})])].map((name) => [
        name,
        { ...second.tools?.[name], ...first.tools?.[name] },
      ]),
    ),
  }
}

function parsed(given: unknown, faults: string[]): Loose {
  const value = typeof given === 'string' ? objectIn(given) : given
  if (isObject(value)) return value
  faults.push('expected a JSON object such as {"rules": [{"decide": "deny", "tool": "bash"}]}')
  return {}
}

function checkRule(rule: unknown, at: string, faults: string[]): void {
  if (!isObject(rule)) return void faults.push(`${at}: expected an object`)
  for (const name of Object.keys(rule))
    if (!RULE_FIELDS.includes(name)) faults.push(`${at}.${name} is not known; expected ${RULE_FIELDS.join(', ')}`)
  const said = rule as Partial<Record<keyof PolicyRule, unknown>>
  if (!DECISIONS.includes(said.decide as string)) faults.push(`${at}.decide: expected ${DECISIONS.join(', ')}`)
  for (const name of PATTERN_FIELDS)
    if (said[name] !== undefined && !isPatterns(said[name]))
      faults.push(`${at}.${name}: expected a text or a list of texts`)
  if (said.args !== undefined && !(isObject(said.args) && Object.values(said.args).every(isPatterns)))
    faults.push(`${at}.args: expected an object of texts`)
  checkForms(said, at, faults)
  if (said.mode !== undefined && said.mode !== 'plan' && said.mode !== 'act')
    faults.push(`${at}.mode: expected plan or act`)
  if (said.permission !== undefined && !(typeof said.permission === 'string' && said.permission.includes(':')))
    faults.push(`${at}.permission: expected a permission such as tool:bash`)
  if (said.tainted !== undefined && typeof said.tainted !== 'boolean')
    faults.push(`${at}.tainted: expected true or false`)
  if (said.because !== undefined && typeof said.because !== 'string') faults.push(`${at}.because: expected a text`)
}

/** A pattern that nothing can match would look like a rule and never be one. */
function checkForms(
  { host, path, decide }: Partial<Record<keyof PolicyRule, unknown>>,
  at: string,
  faults: string[],
): void {
  const all = (patterns: unknown): string[] => [patterns].flat().filter((one) => typeof one === 'string')
  for (const one of all(host))
    if (!isHostPattern(one))
      faults.push(`${at}.host: ${one} is no host; expected example.org, *.example.org, * or example.org:8443`)
  for (const one of all(path)) {
    if (!isPathPattern(one))
      faults.push(`${at}.path: in ${one}, ** stands for folders and needs slashes around it, as in docs/**/*.md`)
    if (decide === 'allow' && /^\/|(^|\/)\.\.(\/|$)/.test(one))
      faults.push(
        `${at}.path: ${one} leads out of the workspace, and that cannot be allowed; expected a path such as docs/**`,
      )
  }
}

function checkTool(tool: unknown, at: string, faults: string[]): void {
  if (!isObject(tool)) return void faults.push(`${at}: expected an object with cost or quota`)
  for (const name of Object.keys(tool))
    if (name !== 'cost' && name !== 'quota') faults.push(`${at}.${name} is not known; expected cost or quota`)
  if (tool['cost'] !== undefined && !isCost(tool['cost']))
    faults.push(`${at}.cost: expected micro-dollars, "unknown", or {fixed, each, unit, field}`)
  if (tool['quota'] !== undefined && !isQuota(tool['quota']))
    faults.push(`${at}.quota: expected {perHour, concurrent}, each a whole number from 0 up`)
}

function isPatterns(value: unknown): boolean {
  const isText = (one: unknown): boolean => typeof one === 'string' && one !== ''
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
}
