import { isObject } from '../../lib/type-guards.ts'
import { Problem } from '../../contract/problem.ts'

/** Throws a Problem that names the path of a wrong value. */
export type Check = (value: unknown, path: string) => void

/** One check per key of T; a missing check does not compile, and an unknown key is refused. */
export type Shape<T> = { readonly [K in keyof T]-?: Check }

export function refuse(path: string, expected: string, value: unknown): never {
  throw new Problem('CONFIG_ERROR', `${path}: expected ${expected}, got ${shown(value)}`, { field: path })
}

export function optional(check: Check): Check {
  return (value, path) => {
    if (value !== undefined) check(value, path)
  }
}

const expecting =
  (expected: string, fits: (value: unknown) => boolean): Check =>
  (value, path) => {
    if (!fits(value)) refuse(path, expected, value)
  }

export const string = expecting('a string', (value) => typeof value === 'string')
export const boolean = expecting('true or false', (value) => typeof value === 'boolean')
export const object = expecting('an object', isObject)

export function integer(min: number, max = Number.MAX_SAFE_INTEGER): Check {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`
  const fits = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
  return expecting(`a whole number ${range}`, fits)
}

export const oneOf = (...words: readonly string[]): Check =>
  expecting(`one of ${words.join(', ')}`, (value) => typeof value === 'string' && words.includes(value))

export function list(item: Check, least = 0): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return refuse(path, 'an array', value)
    if (value.length < least) refuse(path, `an array of at least ${least}`, value)
    value.forEach((each, at) => item(each, `${path}[${at}]`))
  }
}

export function shape<T>(checks: Shape<T>): Check {
  const known = Object.keys(checks) as (keyof T & string)[]
  return (value, path) => {
    if (!isObject(value)) return refuse(path || 'script', 'an object', value)
    const prefix = path === '' ? '' : `${path}.`
    for (const key of Object.keys(value)) {
      if (!known.includes(key as keyof T & string)) refuseKey(`${prefix}${key}`, known)
    }
    for (const key of known) checks[key](value[key], `${prefix}${key}`)
  }
}

function refuseKey(path: string, known: readonly string[]): never {
  throw new Problem('CONFIG_ERROR', `${path}: unknown key, expected one of ${known.join(', ')}`, { field: path })
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return `an ${typeof value}`
}
