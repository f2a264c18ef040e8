import type { UnknownRecord } from './type-guards.ts'

/** What a field must be, and how that is said after "expected". */
export type FieldRule = readonly [fits: (value: unknown) => boolean, expected: string]
export type FieldRules<T> = { readonly [K in keyof T]-?: FieldRule }

/** Collects what is wrong with optional fields that people wrote; `at` is the path before their names. */
export function checkFields<T>(value: UnknownRecord, rules: FieldRules<T>, at: string, faults: string[]): void {
  const known = Object.keys(rules)
  for (const field of Object.keys(value))
    if (!known.includes(field)) faults.push(`${at}${field} is not known; expected ${known.join(', ')}`)
  for (const [field, [fits, expected]] of Object.entries<FieldRule>(rules))
    if (value[field] !== undefined && !fits(value[field])) faults.push(`${at}${field}: expected ${expected}`)
}

export const oneOf = (...words: readonly string[]): FieldRule => [
  (value) => words.includes(value as string),
  words.join(', '),
]

export const TEXT: FieldRule = [(value) => typeof value === 'string', 'a text']
export const YES_OR_NO: FieldRule = [(value) => typeof value === 'boolean', 'true or false']
