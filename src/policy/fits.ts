import { may } from '../contract/actor.ts'
import type { Json, JsonObject } from '../contract/message.ts'
import type { Patterns, PolicyRule } from '../contract/policy.ts'
import { isObject } from '../lib/type-guards.ts'
import type { Facts } from './facts.ts'
import { glob, matchesCommand, matchesHost, matchesPath, type Reading } from './patterns.ts'
import { textsOf, urlsOf } from './values.ts'

/** Whether everything a rule names matches the call. */
export function fits(rule: PolicyRule, facts: Facts): boolean {
  const reading: Reading = rule.decide === 'allow' ? 'narrow' : 'wide'
  const { round } = facts
  if (rule.tool !== undefined && !any(rule.tool, (one) => glob(one, facts.name))) return false
  if (rule.mode !== undefined && rule.mode !== round.mode) return false
  if (rule.permission !== undefined && !may(round, rule.permission)) return false
  if (rule.workspace !== undefined && !any(rule.workspace, (one) => glob(one, round.workspaceId))) return false
  if (rule.tainted !== undefined && rule.tainted !== (round.taintedBy !== undefined)) return false
  return (
    fitsForm(rule.host, (patterns) => urlsOf(facts, reading, patterns), matchesHost, reading) &&
    fitsForm(rule.path, () => textsOf(facts, 'path', reading), matchesPath, reading) &&
    fitsForm(rule.command, () => textsOf(facts, 'command', reading), matchesCommand, reading) &&
    Object.entries(rule.args ?? {}).every(([name, wanted]) => fitsArgument(wanted, valuesAt(facts.args, name), reading))
  )
}

const any = (patterns: Patterns, test: (pattern: string) => boolean): boolean => [patterns].flat().some(test)

function fitsForm<T>(
  patterns: Patterns | undefined,
  values: (patterns: readonly string[]) => readonly T[],
  matches: (pattern: string, value: T, reading: Reading) => boolean,
  reading: Reading,
): boolean {
  if (patterns === undefined) return true
  return enough(
    values([patterns].flat()),
    (value) => any(patterns, (pattern) => matches(pattern, value, reading)),
    reading,
  )
}

/** An `allow` needs all values to match, other rules need one. */
function enough<T>(values: readonly T[], fit: (value: T) => boolean, reading: Reading): boolean {
  return reading === 'narrow' ? values.length > 0 && values.every(fit) : values.some(fit)
}

/** Numbers and booleans are compared as JSON. */
function fitsArgument(wanted: Patterns, values: readonly (Json | undefined)[], reading: Reading): boolean {
  const anyCase = reading === 'wide'
  const text = (one: Json): string => (typeof one === 'string' ? one : JSON.stringify(one))
  const fit = (one: Json | undefined): boolean =>
    one !== undefined && any(wanted, (pattern) => glob(pattern, text(one), { anyCase }))
  return enough(values, fit, reading)
}

/** The values at a path, in every item of lists on the way; undefined where one is missing. */
function valuesAt(args: JsonObject, name: string): (Json | undefined)[] {
  let values: (Json | undefined)[] = [args]
  for (const key of name.split('.'))
    values = values.flatMap((value) => membersOf(value)).map((value) => under(value, key))
  return values.flatMap((value) => membersOf(value))
}

const membersOf = (value: Json | undefined): readonly (Json | undefined)[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [value]

function under(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
