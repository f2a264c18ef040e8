import { isObject } from '../../lib/type-guards.ts'
import type { ProviderSettings } from './provider.ts'

const VARIABLE = /\$\{(\w{1,100})\}/g

/** The variables named as `${NAME}` in any text of a value. */
export function variablesOf(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(VARIABLE)].map(([, name = '']) => name)
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(variablesOf) : []
}

/** Names such as `constructor` are in every object. */
export const settingOf = (settings: ProviderSettings, name: string): string | undefined =>
  Object.hasOwn(settings, name) ? settings[name] : undefined

/** The value with its variables replaced; one that is not set is left out. */
export function fill<Value>(value: Value, settings: ProviderSettings): Value {
  const filled = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replaceAll(VARIABLE, (_, name: string) => settingOf(settings, name) ?? '')
    if (Array.isArray(one)) return one.map(filled)
    return isObject(one) ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, filled(inner)])) : one
  }
  return filled(value) as Value
}
