import type { z } from '@hono/zod-openapi'
import type { Fault } from './problems.ts'

type Issue = z.core.$ZodIssue

/** A request with thousands of unknown fields does not get all of them back. */
export const MOST_FAULTS = 20
const FIELD_CHARS = 200

/** Turns a Zod issue into plain words. */
export function invalidWords(issue: Issue, target: string): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    const what = target === 'query' ? 'parameter' : 'field'
    // A route may have its own words for fields that belong elsewhere.
    const isOwn = !issue.message.startsWith('Unrecognized key')
    const message = isOwn ? issue.message : `there is no such ${what} here; /docs tells which there are`
    return issue.keys
      .slice(0, MOST_FAULTS)
      .map((key) => ({ field: [...issue.path, key].join('.').slice(0, FIELD_CHARS), message }))
  }
  const message = issue.message
    .replace(/^(?:Invalid (?:input|option)|Too (?:small|big)): /, '')
    .replace(/, received undefined$/, ', but it is missing')
    .replace(/, received NaN$/, '')
    .replace(/(?:to have|to be) ([<>]=?)(?=-?\d)/, (_, sign: string) => BOUNDS[sign] ?? sign)
    .replaceAll('"|"', '", "')
    .replace(/ 1 (character|item|key|byte)s$/, ' 1 $1')
  return [{ field: issue.path.join('.') || 'body', message }]
}

const BOUNDS: Readonly<Record<string, string>> = {
  '>=': 'of at least ',
  '<=': 'of at most ',
  '>': 'of more than ',
  '<': 'of less than ',
}
