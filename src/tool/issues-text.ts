import type { z } from 'zod'
import type { JsonObject } from '../contract/message.ts'

type Issue = z.core.$ZodIssue

const MOST_ISSUES = 5
const SHOWN_CHARS = 80

/** For the model: which field, what was expected, what came. */
export function issuesText(issues: readonly Issue[], args: JsonObject): string {
  const lines = issues.slice(0, MOST_ISSUES).map((issue) => issueText(issue, args))
  if (issues.length > MOST_ISSUES) lines.push(`and ${issues.length - MOST_ISSUES} more`)
  return lines.join('; ')
}

function issueText(issue: Issue, args: JsonObject): string {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${fieldName([...issue.path, key])}: there is no such field`).join('; ')
  }
  const value = issue.path.reduce<unknown>(valueAt, args)
  const came = value === undefined ? 'but it is missing' : `got ${shown(value)}`
  return `${fieldName(issue.path)}: ${expectation(issue)}, ${came}`
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_union') {
    const wanted = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation))
    if (wanted.length > 0) return [...new Set(wanted)].join(' or ')
  }
  return issue.message.replace(/^Invalid (?:input|option): /, '').replace(/, received .*$/s, '')
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'arguments'
  return path.map((key, at) => (typeof key === 'number' ? `[${key}]` : `${at === 0 ? '' : '.'}${String(key)}`)).join('')
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length <= SHOWN_CHARS ? text : `${text.slice(0, SHOWN_CHARS).toWellFormed()}…`
}
