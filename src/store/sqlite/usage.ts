import type { ListStore } from '../lists.ts'
import { usageView, type OptionalSums, type UsageRow } from '../rows/usage-row.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'

const sum = (name: string): string => `coalesce(sum(json_extract(r.usage, '$.${name}')), 0)`
/** NULL instead of 0 */
const some = (name: keyof OptionalSums): string => `nullif(sum(json_extract(r.usage, '$.${name}')), 0) AS ${name}`

/** Sums over ended rounds, including sessions that are deleted but not erased. */
export function usageList({ db, reading }: Base): Pick<ListStore, 'usage'> {
  const grouped = db.prepare(`
    SELECT s.owner AS userId, r.model, count(*) AS rounds, sum(r.cost) AS cost, ${sum('input')} AS input,
      ${sum('output')} AS output, ${some('cachedRead')}, ${some('cachedWrite')}, ${some('reasoning')},
      ${some('estimated')}, ${some('unpriced')}
    FROM rounds r JOIN sessions s ON s.num = r.key / ${eventKey(1, 0)}
    WHERE s.tenant = ? AND (? IS NULL OR s.owner = ?) AND (? IS NULL OR s.id = ?)
      AND r.state = 'ended' AND r.ended_at >= ? AND r.ended_at < ?
    GROUP BY s.owner, r.model ORDER BY s.owner, r.model`)

  return {
    usage: ({ tenant, since = 0, until = Number.MAX_SAFE_INTEGER, ...only }) =>
      reading(() => {
        const { owner = null, sessionId = null } = only
        return (grouped.all(tenant, owner, owner, sessionId, sessionId, since, until) as unknown as UsageRow[]).map(
          usageView,
        )
      }),
  }
}
