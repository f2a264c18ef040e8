import type { DatabaseSync } from 'node:sqlite'
import type { UsageView } from '../../contract/views.ts'
import type { UsageQuery } from '../lists.ts'
import { eventKey } from './event-rows.ts'

interface Row {
  owner: string
  model: string
  rounds: number
  input: number
  output: number
  cached_read: number
  cached_write: number
  reasoning: number
  estimated: number
  unpriced: number
  cost: number
}

const sum = (name: string): string => `coalesce(sum(json_extract(r.usage, '$.${name}')), 0)`
const marked = (name: string): string => `coalesce(max(json_extract(r.usage, '$.${name}')), 0)`

/** Sums over rounds that have ended, also of sessions that were deleted and not erased yet: they were paid for. */
export function usageIn(db: DatabaseSync) {
  const grouped = db.prepare(`
    SELECT s.owner, r.model, count(*) AS rounds, sum(r.cost) AS cost, ${sum('input')} AS input, ${sum('output')} AS output,
      ${sum('cachedRead')} AS cached_read, ${sum('cachedWrite')} AS cached_write, ${sum('reasoning')} AS reasoning,
      ${marked('estimated')} AS estimated, ${marked('unpriced')} AS unpriced
    FROM rounds r JOIN sessions s ON s.num = r.key / ${eventKey(1, 0)}
    WHERE s.tenant = ? AND (? IS NULL OR s.owner = ?) AND (? IS NULL OR s.id = ?)
      AND r.state = 'ended' AND r.ended_at >= ? AND r.ended_at < ?
    GROUP BY s.owner, r.model ORDER BY s.owner, r.model`)

  return ({ tenant, since, until, ...only }: UsageQuery): UsageView[] => {
    const owner = only.owner ?? null
    const sessionId = only.sessionId ?? null
    const from = since ?? 0
    const to = until ?? Number.MAX_SAFE_INTEGER
    return (grouped.all(tenant, owner, owner, sessionId, sessionId, from, to) as unknown as Row[]).map((row) => ({
      userId: row.owner,
      model: row.model,
      rounds: row.rounds,
      usage: {
        input: row.input,
        output: row.output,
        ...(row.cached_read > 0 && { cachedRead: row.cached_read }),
        ...(row.cached_write > 0 && { cachedWrite: row.cached_write }),
        ...(row.reasoning > 0 && { reasoning: row.reasoning }),
        ...(row.estimated > 0 && { estimated: true }),
        ...(row.unpriced > 0 && { unpriced: true }),
      },
      cost: row.cost,
    }))
  }
}
