import type { Policy, PolicyRule } from '../contract/policy.ts'
import { Problem } from '../contract/problem.ts'
import { isCost, isQuota } from '../lib/check-cost.ts'
import { checkFields, oneOf, TEXT, YES_OR_NO, type FieldRule, type FieldRules } from '../lib/check-fields.ts'
import { isObject, type UnknownRecord } from '../lib/type-guards.ts'
import { parseObject } from '../lib/parse-object.ts'
import { isHostPattern, isPathPattern } from './patterns.ts'

const PATTERNS: FieldRule = [isPatterns, 'a text or a list of texts']

const POLICY: FieldRules<Policy> = {
  rules: [Array.isArray, 'a list'],
  otherwise: [(value) => value === 'declared' || value === 'deny', '"declared" or "deny"'],
  tools: [isObject, 'an object of tool names'],
}

const RULE: FieldRules<PolicyRule> = {
  decide: oneOf('allow', 'ask', 'always', 'deny'),
  tool: PATTERNS,
  host: PATTERNS,
  path: PATTERNS,
  command: PATTERNS,
  args: [(value) => isObject(value) && Object.values(value).every(isPatterns), 'an object of texts'],
  mode: [(value) => value === 'plan' || value === 'act', 'plan or act'],
  permission: [(value) => typeof value === 'string' && value.includes(':'), 'a permission such as tool:bash'],
  workspace: PATTERNS,
  tainted: YES_OR_NO,
  because: TEXT,
}

const TOOL: FieldRules<NonNullable<Policy['tools']>[string]> = {
  cost: [isCost, 'micro-dollars, "unknown", or {fixed, each, unit, field}'],
  quota: [isQuota, '{perHour, concurrent}, each a whole number from 0 up'],
}

/** Checks a policy field by field; `where` is its name in messages. */
export function readPolicy(given: unknown, where: string): Policy {
  const faults: string[] = []
  const policy = parsed(given, faults)
  checkFields(policy, POLICY, '', faults)
  const { rules, tools } = policy
  if (Array.isArray(rules)) rules.forEach((rule, at) => checkRule(rule, `rules[${at}]`, faults))
  for (const [name, tool] of isObject(tools) ? Object.entries(tools) : [])
    if (isObject(tool)) checkFields(tool, TOOL, `tools.${name}.`, faults)
    else faults.push(`tools.${name}: expected an object with cost or quota`)
  if (faults.length > 0)
    throw new Problem('CONFIG_ERROR', `${where} cannot be used: ${faults.join('; ')}.`, { field: where })
  return policy
}

/** The rules of the first come first, and its values for a tool win; `otherwise: deny` in either counts. */
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

function parsed(given: unknown, faults: string[]): UnknownRecord {
  const value = typeof given === 'string' ? parseObject(given) : given
  if (isObject(value)) return value
  faults.push('expected a JSON object such as {"rules": [{"decide": "deny", "tool": "bash"}]}')
  return {}
}

function checkRule(rule: unknown, at: string, faults: string[]): void {
  if (!isObject(rule)) return void faults.push(`${at}: expected an object`)
  checkFields({ decide: '', ...rule }, RULE, `${at}.`, faults)
  checkForms(rule, at, faults)
}

/** Reports patterns that nothing can match. */
function checkForms({ host, path, decide }: UnknownRecord, at: string, faults: string[]): void {
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

function isPatterns(value: unknown): boolean {
  const isText = (one: unknown): boolean => typeof one === 'string' && one !== ''
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
}
