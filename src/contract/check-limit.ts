import { invalidField } from './problem.ts'

/** How many items of a list somebody wants. */
export function checkLimit(limit: unknown): void {
  if (limit === undefined || (Number.isSafeInteger(limit) && (limit as number) >= 1)) return
  throw invalidField('limit', 'must be a whole number from 1 up')
}
