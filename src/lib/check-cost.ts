import { isIntegerFrom, isObject } from './type-guards.ts'

const UNITS: readonly unknown[] = ['token', 'character', 'record', 'second']
const COST_FIELDS = ['fixed', 'each', 'unit', 'field', 'more']

/** Whether a value is a `ToolCost`. */
export function isCost(value: unknown): boolean {
  if (value === 'unknown' || isIntegerFrom(value, 0)) return true
  if (!isObject(value)) return false
  const { fixed = 0, each, unit, field, more = 0 } = value
  return (
    Object.keys(value).every((name) => COST_FIELDS.includes(name)) &&
    isIntegerFrom(fixed, 0) &&
    isIntegerFrom(more, 0) &&
    Number.isFinite(each) &&
    (each as number) >= 0 &&
    UNITS.includes(unit) &&
    typeof field === 'string'
  )
}

/** Whether a value is a `Quota`. */
export function isQuota(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(
    ([name, most]) => ['perHour', 'concurrent'].includes(name) && isIntegerFrom(most, 0),
  )
}
