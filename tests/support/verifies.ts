import { test, type TestFunction } from 'vitest'
import type { RequirementId } from '../requirements.ts'

/**
 * Registers a test that shows a requirement: `verifies('PHA-5', 'refuses the same call twice', () => …)`.
 * The ids must be written out in the call, because tests/requirements.test.ts reads them from the source.
 */
export function verifies(
  ids: RequirementId | readonly RequirementId[],
  title: string,
  body: TestFunction,
  timeoutMs?: number,
): void {
  const cited = [ids].flat()
  test(`[${cited.join(', ')}] ${title}`, timeoutMs === undefined ? {} : { timeout: timeoutMs }, body)
}
