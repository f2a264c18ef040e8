import type { Json, JsonObject } from '../contract/message.ts'
import type { Patterns, PolicyRule } from '../contract/policy.ts'
import type { Facts, FieldFacts } from './facts.ts'
import { glob, matchesCommand, matchesHost, matchesPath, type Reading } from './patterns.ts'

/** Does a rule speak of this call? Everything it names must fit. */
export function fits(rule: PolicyRule, facts: Facts): boolean {
  const reading: Reading = rule.decide === 'allow' ? 'narrow' : 'wide'
  const { round } = facts
  if (rule.tool !== undefined && !any(rule.tool, (one) => glob(one, facts.name))) return false
  if (rule.mode !== undefined && rule.mode !== round.mode) return false
  if (rule.permission !== undefined && !has(round.permissions, rule.permission)) return false
  if (rule.workspace !== undefined && !any(rule.workspace, (one) => glob(one, round.workspaceId))) return false
  if (rule.tainted !== undefined && rule.tainted !== (round.taintedBy !== undefined)) return false
  return (
    fitsForm(rule.host, urlsOf(facts, reading), matchesHost, reading) &&
    fitsForm(rule.path, valuesOf(facts, 'paths', reading), matchesPath, reading) &&
    fitsForm(rule.command, valuesOf(facts, 'commands', reading), matchesCommand, reading) &&
    Object.entries(rule.args ?? {}).every(([name, wanted]) => fitsArgument(wanted, valueAt(facts.args, name), reading))
  )
}

function has(permissions: readonly string[], wanted: string): boolean {
  return ['*', wanted, `${wanted.slice(0, wanted.indexOf(':'))}:*`].some((one) => permissions.includes(one))
}

const any = (patterns: Patterns, test: (pattern: string) => boolean): boolean =>
  typeof patterns === 'string' ? test(patterns) : patterns.some(test)

function fitsForm<T>(
  patterns: Patterns | undefined,
  values: readonly T[],
  matches: (pattern: string, value: T, reading: Reading) => boolean,
  reading: Reading,
): boolean {
  if (patterns === undefined) return true
  const fit = (value: T): boolean => any(patterns, (pattern) => matches(pattern, value, reading))
  return reading === 'narrow' ? values.length > 0 && values.every(fit) : values.some(fit)
}

/** Where a tool does not say which arguments are hosts, paths or commands, any text may be one; none counts as allowed. */
function valuesOf({ tool, args }: Facts, form: keyof FieldFacts, reading: Reading): readonly string[] {
  const declared = tool?.fields[form] ?? []
  return declared.length > 0 || reading === 'narrow' ? declared : texts(args)
}

function urlsOf(facts: Facts, reading: Reading): readonly URL[] {
  const hosts = (facts.tool?.fields.hosts ?? []).map((host) => `https://${host}/`)
  const urls = [...valuesOf(facts, 'urls', hosts.length > 0 ? 'narrow' : reading), ...hosts]
  const parsed = urls.map((text) => URL.parse(text))
  // What cannot be read as a URL is nobody's host: it allows nothing.
  if (reading === 'narrow' && parsed.includes(null)) return []
  return parsed.filter((url) => url !== null && url.hostname !== '') as URL[]
}

/** A number or a truth value is compared by its JSON. */
function fitsArgument(wanted: Patterns, value: Json | undefined, reading: Reading): boolean {
  if (value === undefined) return false
  const text = (one: Json): string => (typeof one === 'string' ? one : JSON.stringify(one))
  const fit = (one: Json): boolean =>
    any(wanted, (pattern) => glob(pattern, text(one), { anyCase: reading === 'wide' }))
  if (!Array.isArray(value)) return fit(value)
  return reading === 'narrow' ? value.length > 0 && value.every(fit) : value.some(fit)
}

function valueAt(args: JsonObject, name: string): Json | undefined {
  let value: Json | undefined = args
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function texts(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return (Array.isArray(value) ? value : Object.values(value)).flatMap((one) => texts(one as Json))
}
