const UNITS: readonly unknown[] = ['token', 'character', 'record', 'second']
const COST_FIELDS = ['fixed', 'each', 'unit', 'field', 'more']

/** What somebody wrote in the place of a `ToolCost`. */
export function isCost(value: unknown): boolean {
  if (value === 'unknown' || isCount(value)) return true
  if (!isObject(value)) return false
  const { fixed = 0, each, unit, field, more = 0 } = value
  return (
    Object.keys(value).every((name) => COST_FIELDS.includes(name)) &&
    isCount(fixed) &&
    isCount(more) &&
    Number.isFinite(each) &&
    (each as number) >= 0 &&
    UNITS.includes(unit) &&
    typeof field === 'string'
  )
}

/** What somebody wrote in the place of a `Quota`. */
export function isQuota(value: unknown): boolean {
  if (!isObject(value)) return false
  return Object.entries(value).every(([name, most]) => ['perHour', 'concurrent'].includes(name) && isCount(most))
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
