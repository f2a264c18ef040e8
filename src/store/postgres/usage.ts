import type { ListStore } from '../lists.ts'
import { usageView, type OptionalSums, type UsageRow } from '../rows/usage-row.ts'
import type { Base } from './base.ts'

/** NULL instead of 0 */
const some = (name: keyof OptionalSums): string => `nullif(sum(u."${name}"), 0)::bigint AS "${name}"`
const marked = (name: keyof OptionalSums): string => `nullif(count(*) FILTER (WHERE u.${name}), 0) AS ${name}`

/** Sums over ended rounds, including sessions that are deleted but not erased. */
export function usageList({ query }: Base): Pick<ListStore, 'usage'> {
  return {
    async usage({ tenant, owner = null, sessionId = null, since = null, until = null }) {
      const rows = await query<UsageRow>(
        `SELECT r.owner AS "userId", r.model, count(*) AS rounds, sum(r.cost)::bigint AS cost,
           coalesce(sum(u.input), 0)::bigint AS input, coalesce(sum(u.output), 0)::bigint AS output,
           ${some('cachedRead')}, ${some('cachedWrite')}, ${some('reasoning')}, ${marked('estimated')}, ${marked('unpriced')}
         FROM rounds r CROSS JOIN LATERAL json_to_record(r.usage::json) AS u (input bigint, output bigint,
           "cachedRead" bigint, "cachedWrite" bigint, reasoning bigint, estimated boolean, unpriced boolean)
         WHERE r.tenant = $1 AND ($2::text IS NULL OR r.owner = $2) AND ($3::text IS NULL OR r.session_id = $3)
           AND ($4::bigint IS NULL OR r.ended_at >= $4) AND ($5::bigint IS NULL OR r.ended_at < $5) AND r.state = 'ended'
         GROUP BY r.owner, r.model ORDER BY r.owner, r.model`,
        [tenant, owner, sessionId, since, until],
      )
      return rows.map(usageView)
    },
  }
}
