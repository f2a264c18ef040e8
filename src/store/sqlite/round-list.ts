import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { ListedRound } from '../../contract/views.ts'
import type { ListStore, Page, RoundQuery } from '../lists.ts'
import { isOpenOnly, listedRound, MOST_QUEUED, type ListedRoundRow } from '../rows/round-row.ts'
import type { Base } from './base.ts'
import { eventKey } from './event-rows.ts'
import { pageOf, timeCursor, parseTimeCursor } from '../page.ts'
import { ROUND } from './rounds.ts'

type Row = ListedRoundRow & { key: number }
type Condition = readonly [sql: string, ...values: SQLInputValue[]]

/** Queued messages with the columns of a round. */
const QUEUED = `(SELECT rowid AS key, session, body ->> '$.requestId' AS request_id, 'queued' AS state,
  body ->> '$.protocol' AS protocol, body ->> '$.mode' AS mode, body ->> '$.model' AS model, at AS started_at,
  0 AS start_seq, NULL AS end_seq, NULL AS waiting_for, NULL AS usage, 0 AS cost, NULL AS finish_reason,
  NULL AS ended_at FROM inputs WHERE body ->> '$.kind' = 'message')`

/** Rounds of many sessions, newest first. */
export function roundPages({ db, reading, rowOf }: Base): Pick<ListStore, 'roundPage'> {
  const prepared = new Map<string, StatementSync>()

  function find(from: string, session: string, conditions: readonly Condition[], limit: number): Row[] {
    const sql = `SELECT ${ROUND}, r.key, s.title, s.owner FROM ${from}
      JOIN sessions s ON s.num = ${session} AND s.deleted = 0
      WHERE ${conditions.map(([condition]) => condition).join(' AND ')} ORDER BY r.started_at DESC, r.key DESC LIMIT ?`
    let statement = prepared.get(sql)
    if (!statement) prepared.set(sql, (statement = db.prepare(sql)))
    return statement.all(...conditions.flatMap(([, ...values]) => values), limit) as unknown as Row[]
  }

  function page(query: RoundQuery, num: number | undefined): Page<ListedRound> {
    const { limit = 50, cursor, states } = query
    const rounds = conditionsOf(query, 'r')
    if (num !== undefined) rounds.push(['r.key >= ? AND r.key < ?', eventKey(num, 0), eventKey(num + 1, 0)])
    if (isOpenOnly(query)) rounds.push([`r.state <> 'ended'`])
    if (cursor !== undefined) rounds.push(['(r.started_at, r.key) < (?, ?)', ...parseTimeCursor(cursor)])
    const rows = find(tableFor(query), `r.key / ${eventKey(1, 0)}`, rounds, limit + 1)
    const first = pageOf(rows, limit, view, (row) => timeCursor(row.startedAt, row.key))
    if (cursor !== undefined || (states && !states.includes('queued'))) return first
    const waiting = conditionsOf(query, 's')
    if (num !== undefined) waiting.push(['r.session = ?', num])
    const queued = find(`${QUEUED} r`, 'r.session', waiting, MOST_QUEUED)
    return { ...first, items: [...queued.map(view), ...first.items] }
  }

  return {
    roundPage: (query) =>
      reading(() => {
        const num = query.sessionId === undefined ? undefined : rowOf(query.sessionId)?.num
        return query.sessionId !== undefined && num === undefined ? { items: [], next: null } : page(query, num)
      }),
  }
}

/** SQLite keeps no statistics, so the index is chosen here. */
function tableFor(query: RoundQuery): string {
  if (query.sessionId !== undefined) return 'rounds r NOT INDEXED'
  return isOpenOnly(query) ? 'rounds r INDEXED BY rounds_open' : 'rounds r INDEXED BY rounds_started'
}

/** `table`: the one with the tenant and owner columns. */
function conditionsOf(query: RoundQuery, table: 'r' | 's'): Condition[] {
  const { tenant, owner, states, finishReason, model, protocol, since } = query
  const conditions: (Condition | undefined)[] = [
    [`${table}.tenant = ?`, tenant],
    owner === undefined ? undefined : [`${table}.owner = ?`, owner],
    states && ['r.state IN (SELECT value FROM json_each(?))', JSON.stringify(states)],
    finishReason && ['r.finish_reason = ?', finishReason],
    model === undefined ? undefined : ['r.model = ?', model],
    protocol && ['r.protocol = ?', protocol],
    since === undefined ? undefined : ['r.started_at >= ?', since],
  ]
  return conditions.filter((one) => one !== undefined)
}

const view = ({ key: _, ...row }: Row): ListedRound => listedRound(row)
