import type { UsageView } from '../../contract/views.ts'
import type { ListStore } from '../lists.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { filled } from './page.ts'

type Sums = Record<'cachedRead' | 'cachedWrite' | 'reasoning' | 'estimated' | 'unpriced', number | null>
type Row = Omit<UsageView, 'usage'> & Sums & { input: number; output: number }

const sum = (name: string): string => `coalesce(sum(json_extract(r.usage, '$.${name}')), 0)`
/** NULL where it is nothing */
const some = (name: keyof Sums): string => `nullif(sum(json_extract(r.usage, '$.${name}')), 0) AS ${name}`

/** Sums over rounds that have ended, also of sessions that were deleted and not erased yet: they were paid for. */
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
        return (grouped.all(tenant, owner, owner, sessionId, sessionId, since, until) as unknown as Row[]).map(view)
      }),
  }
}

function view({ userId, model, rounds, cost, estimated, unpriced, ...sums }: Row): UsageView {
  const marks = { ...(estimated !== null && { estimated: true }), ...(unpriced !== null && { unpriced: true }) }
  return { userId, model, rounds, usage: { ...filled(sums), ...marks }, cost }
}
