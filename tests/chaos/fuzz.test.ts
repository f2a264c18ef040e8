import { expect, test } from 'vitest'
import { runFuzz } from './fuzz-run.ts'

const REQUESTS = 1500

test('1,500 nonsensical requests get clean answers, and the server is as it was', async () => {
  const { statuses, faults } = await runFuzz({ seed: 8, requests: REQUESTS })
  expect(faults.slice(0, 5)).toEqual([])
  expect([...statuses.values()].reduce((sum, times) => sum + times, 0)).toBe(REQUESTS)
  // Nonsense that is all refused for the same reason would show nothing.
  for (const status of [200, 201, 202, 204, 400, 401, 403, 404, 413, 415, 431])
    expect([status, statuses.get(status) ?? 0]).toEqual([status, expect.toSatisfy((times: number) => times > 0)])
}, 60_000)
