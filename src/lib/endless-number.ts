/** Whether a value holds a number that JSON cannot say, such as what 1e999 is read as; stored it would be null. */
export function hasEndlessNumber(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasEndlessNumber)
}
