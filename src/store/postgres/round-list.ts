import type { ListedRound } from '../../contract/views.ts'
import type { ListStore, RoundQuery } from '../lists.ts'
import { pageOf, timeCursor, parseTimeCursor } from '../page.ts'
import { isOpenOnly, listedRound, MOST_QUEUED, type ListedRoundRow } from '../rows/round-row.ts'
import type { Base } from './base.ts'
import { ROUND } from './rounds.ts'

type Row = ListedRoundRow & { num: number }

/** Queued messages with the columns of a round. */
const QUEUED = `SELECT session_id, tenant, owner, request_id, n AS num, 'queued' AS state, protocol, mode, model, at AS started_at,
  0 AS start_seq, NULL::integer AS end_seq, NULL::text AS waiting_for, NULL::text AS usage, 0 AS cost,
  NULL::text AS finish_reason, NULL::bigint AS ended_at FROM inputs WHERE kind = 'message'`

/** Conditions on `valuesOf` a query; each statement is planned for its values, so those that are NULL cost nothing. */
const WHOSE = `r.tenant = $1 AND ($2::text IS NULL OR r.owner = $2) AND ($3::text IS NULL OR r.session_id = $3)`
const WHICH = `($4::text[] IS NULL OR r.state = ANY ($4)) AND ($5::text IS NULL OR r.finish_reason = $5)
  AND ($6::text IS NULL OR r.model = $6) AND ($7::text IS NULL OR r.protocol = $7)
  AND ($8::bigint IS NULL OR r.started_at >= $8)`
const NEWEST = 'ORDER BY r.started_at DESC, r.num DESC LIMIT $9'

function valuesOf({ tenant, owner, sessionId, states, finishReason, model, protocol, since }: RoundQuery): unknown[] {
  return [tenant, owner, sessionId, states, finishReason, model, protocol, since].map((value) => value ?? null)
}

const LISTED = `SELECT ${ROUND}, r.num, s.title, s.owner FROM r
  CROSS JOIN LATERAL (SELECT title, owner FROM sessions WHERE id = r.session_id AND deleted = 0 LIMIT 1) s`

/** Rounds of many sessions, newest first. */
export function roundPages({ query }: Base): Pick<ListStore, 'roundPage'> {
  function started(wanted: RoundQuery, limit: number): Promise<Row[]> {
    const { sessionId, cursor } = wanted
    const before = cursor === undefined ? [Number.MAX_SAFE_INTEGER, 0] : parseTimeCursor(cursor)
    const known = isOpenOnly(wanted) ? `${WHOSE} AND r.state = ANY ($4) AND r.state <> 'ended'` : WHOSE
    // One session's or open rounds are few and are all read first; of others only the newest are.
    const how = sessionId !== undefined || isOpenOnly(wanted) ? 'MATERIALIZED' : 'NOT MATERIALIZED'
    return query<Row>(
      `WITH r AS ${how} (SELECT * FROM rounds r WHERE ${known})
       ${LISTED} WHERE ${WHICH} AND (r.started_at, r.num) < ($10, $11) ${NEWEST}`,
      [...valuesOf(wanted), limit, ...before],
    )
  }

  const queued = (wanted: RoundQuery): Promise<Row[]> =>
    query<Row>(
      `WITH r AS MATERIALIZED (SELECT * FROM (${QUEUED}) r WHERE ${WHOSE} AND ${WHICH} ${NEWEST}) ${LISTED} ${NEWEST}`,
      [...valuesOf(wanted), MOST_QUEUED],
    )

  return {
    async roundPage(wanted) {
      const { limit = 50, cursor, states } = wanted
      const rows = await started(wanted, limit + 1)
      const first = pageOf(rows, limit, view, (row) => timeCursor(row.startedAt, row.num))
      if (cursor !== undefined || (states && !states.includes('queued'))) return first
      return { ...first, items: [...(await queued(wanted)).map(view), ...first.items] }
    },
  }
}

const view = ({ num: _, ...row }: Row): ListedRound => listedRound(row)
