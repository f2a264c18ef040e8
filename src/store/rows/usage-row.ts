import type { UsageView } from '../../contract/views.ts'
import { withoutNulls } from '../page.ts'

/** Sums that are NULL where the view leaves them out. */
export type OptionalSums = Record<'cachedRead' | 'cachedWrite' | 'reasoning' | 'estimated' | 'unpriced', number | null>
export type UsageRow = Omit<UsageView, 'usage'> & OptionalSums & { input: number; output: number }

export function usageView({ userId, model, rounds, cost, estimated, unpriced, ...sums }: UsageRow): UsageView {
  const marks = { ...(estimated !== null && { estimated: true }), ...(unpriced !== null && { unpriced: true }) }
  return { userId, model, rounds, usage: { ...withoutNulls(sums), ...marks }, cost }
}
