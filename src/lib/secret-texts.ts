import { isObject } from './type-guards.ts'

/** Headers, parameters, options and variables with such names hold secrets. */
export const SECRET_NAME = /key|token|secret|pass|pwd|credential|auth|cookie|session|signature|dsn|database_url/i

/** The texts below a secret name, at any depth; a token is a secret with and without `Bearer`. */
export function secretTexts(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string') return isSecret ? [value, ...value.split(' ')] : []
  if (Array.isArray(value)) return value.flatMap((one) => secretTexts(one, isSecret))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, one]) => secretTexts(one, isSecret || SECRET_NAME.test(name)))
}
