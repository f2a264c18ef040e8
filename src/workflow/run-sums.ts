import type { RunSums } from '../contract/invocation.ts'
import type { InvocationEnd } from '../store/index.ts'

/** What is summed up: the last seven days, and of those so many at most. */
export const SUMS_MS = 7 * 86_400_000
export const MOST_SUMMED = 500

/** `ends`: the newest of a workflow; `isMine`: which of them somebody may see. */
export function runSums(
  ends: readonly InvocationEnd[],
  since: number,
  isMine: (end: InvocationEnd) => boolean = () => true,
): RunSums {
  const sums = { pending: 0, running: 0, success: 0, failure: 0, timeout: 0, unknown: 0 }
  const took: number[] = []
  for (const { status, tookMs } of ends.filter(isMine)) {
    sums[status] += 1
    // How long the others took is only how long they were waited for.
    if (tookMs !== undefined && (status === 'success' || status === 'failure')) took.push(tookMs)
  }
  const medianMs = median(took)
  const oldest = ends.length < MOST_SUMMED ? undefined : ends.at(-1)?.createdAt
  return { ...sums, since: oldest ?? since, ...(medianMs !== undefined && { medianMs }) }
}

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return low === undefined || high === undefined ? undefined : Math.round((low + high) / 2)
}
