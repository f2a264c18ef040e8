export type UnknownRecord = Record<string, unknown>

export function isObject(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

export function isStringRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'string')
}

export function isIntegerFrom(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least
}
