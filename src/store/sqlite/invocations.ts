import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { Invocation } from '../../contract/invocation.ts'
import type { Quota } from '../../contract/tool.ts'
import {
  changedInvocationValues,
  endOfRow,
  INVOCATION_COLUMNS,
  invocationOfRow,
  NEW_INVOCATION_COLUMNS,
  newInvocationValues,
  QUOTA_MS,
  wholeCost,
  type EndRow,
  type InvocationRow,
} from '../invocation-row.ts'
import type { InvocationQuery, InvocationStore, NotTaken } from '../invocations.ts'
import { pageOf, parseTimeCursor, timeCursor, viewOf } from '../page.ts'
import type { Base } from './base.ts'
import type { Budgets } from './budgets.ts'

/** Answered by an index alone: many may be due of those who have their share. */
export const FIRST_DUE = `SELECT num FROM invocations WHERE due_at <= ?
  AND tenant NOT IN (SELECT value FROM json_each(?)) AND automation_id NOT IN (SELECT value FROM json_each(?))
  ORDER BY due_at, num LIMIT 1`

/** Read from the end of an index, however many there have been. */
export const ENDS = `SELECT status, user_id AS "userId", created_at AS "createdAt",
    ended_at - (body ->> 'startedAt') AS "tookMs"
  FROM invocations WHERE tenant = ? AND automation_id = ? AND created_at > ?
  ORDER BY created_at DESC, num DESC LIMIT ?`

export function invocationStore(
  { db, group, claims, record, outbox, reading, rowOf, emptyLog }: Base,
  budgets: Budgets,
): InvocationStore {
  const insert = db.prepare(
    `INSERT INTO invocations (${NEW_INVOCATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING ${INVOCATION_COLUMNS}`,
  )
  const one = db.prepare(`SELECT ${INVOCATION_COLUMNS} FROM invocations WHERE tenant = ? AND id = ?`)
  const any = db.prepare(`SELECT ${INVOCATION_COLUMNS} FROM invocations WHERE id = ?`)
  const byKey = db.prepare(`SELECT ${INVOCATION_COLUMNS} FROM invocations WHERE tenant = ? AND key = ?`)
  const since = db.prepare(
    `SELECT count(*) AS n FROM
     (SELECT 1 FROM invocations WHERE tenant = ? AND automation_id = ? AND created_at > ? LIMIT ?)`,
  )
  const open = db.prepare(
    `SELECT count(*) AS n FROM
     (SELECT 1 FROM invocations WHERE tenant = ? AND automation_id = ? AND ended_at IS NULL LIMIT ?)`,
  )
  const ends = db.prepare(ENDS)
  const started = db.prepare(
    `SELECT count(*) AS n FROM invocations WHERE tenant = ? AND automation_id = ? AND created_at > ? AND origin_id = ?`,
  )
  // Taking one moves its time past the lease, so that it is due again if the process dies.
  const take = db.prepare(
    `UPDATE invocations SET due_at = ?, revision = revision + 1 WHERE num = (${FIRST_DUE}) RETURNING ${INVOCATION_COLUMNS}`,
  )
  // Not those that surely did not begin and are to be tried again later.
  const free = db.prepare(
    `UPDATE invocations SET due_at = ?1, revision = revision + 1 WHERE due_at > ?1
     AND (status <> 'pending' OR body ->> 'attempts' = 0 OR body ->> 'inDoubt')`,
  )
  // What was erased stays so, whoever still had it.
  const change = db.prepare(
    `UPDATE invocations SET status = ?, due_at = ?, ended_at = ?, revision = ?, body = ?,
       content = CASE WHEN content IS NULL THEN NULL ELSE ? END
     WHERE tenant = ? AND id = ? AND revision = ?`,
  )
  const forget = db.prepare(
    `DELETE FROM invocations WHERE num IN (SELECT num FROM invocations
     WHERE due_at IS NULL AND ended_at < ? ORDER BY ended_at, num LIMIT ?)`,
  )
  const erase = db.prepare(
    `UPDATE invocations SET content = NULL, revision = revision + 1
     WHERE tenant = ? AND user_id = ? AND content IS NOT NULL`,
  )
  const lists = new Map<string, StatementSync>()

  function over(
    { tenant, automationId, createdAt }: Invocation,
    { perHour, concurrent }: Quota,
  ): keyof Quota | undefined {
    const counted = (found: unknown): number => (found as { n: number }).n
    const from = createdAt - QUOTA_MS
    if (perHour !== undefined && counted(since.get(tenant, automationId, from, perHour)) >= perHour) return 'perHour'
    if (concurrent !== undefined && counted(open.get(tenant, automationId, concurrent)) >= concurrent)
      return 'concurrent'
    return undefined
  }

  const isDeleted = (sessionId: string | undefined): boolean =>
    sessionId !== undefined && rowOf(sessionId)?.deleted === 1

  function list(conditions: readonly Condition[], limit: number): InvocationRow[] {
    const sql = `SELECT ${INVOCATION_COLUMNS} FROM invocations
      WHERE ${conditions.map(([condition]) => condition).join(' AND ')} ORDER BY created_at DESC, num DESC LIMIT ?`
    let statement = lists.get(sql)
    if (!statement) lists.set(sql, (statement = db.prepare(sql)))
    return statement.all(...conditions.flatMap(([, ...values]) => values), limit) as unknown as InvocationRow[]
  }

  return {
    addInvocation: (added, { quota = {}, cost, audit = [] } = {}) =>
      group.run((onRollback) => {
        const { tenant, key, userId, sessionId, createdAt } = added
        const known = viewOf(byKey.get(tenant, key), invocationOfRow)
        if (known) return { kind: 'known', invocation: known }
        const what = over(added, quota)
        if (what) return { kind: 'over', what }
        const costs = wholeCost(cost)
        if (costs > 0 && !budgets.spend(tenant, userId, createdAt, costs)) return { kind: 'over', what: 'budget' }
        const row = insert.get(...newInvocationValues(added, isDeleted(sessionId))) as unknown as InvocationRow
        record(audit, onRollback)
        return { kind: 'added', invocation: invocationOfRow(row) }
      }),
    invocation: (tenant, id) => reading(() => viewOf(one.get(tenant, id), invocationOfRow)),
    anyInvocation: (id) => reading(() => viewOf(any.get(id), invocationOfRow)),
    invocationByKey: (tenant, key) => reading(() => viewOf(byKey.get(tenant, key), invocationOfRow)),
    countStarted: ({ tenant, automationId, originId, since }) =>
      reading(() => (started.get(tenant, automationId, since, originId) as { n: number }).n),
    invocationEnds: ({ tenant, automationId, since, limit }) =>
      reading(() => (ends.all(tenant, automationId, since, limit) as unknown as EndRow[]).map(endOfRow)),
    invocations: ({ limit = 50, ...query }) =>
      reading(() =>
        pageOf(list(conditionsOf(query), limit + 1), limit, invocationOfRow, ({ createdAt, num }) =>
          timeCursor(createdAt, num),
        ),
      ),
    takeInvocation: (now, leaseMs, { tenants, automations } = NOBODY) =>
      group.run((): Invocation | undefined => {
        const row = take.get(now + leaseMs, now, JSON.stringify(tenants), JSON.stringify(automations))
        return viewOf(row, invocationOfRow)
      }),
    freeInvocations: (now) => group.run(() => void free.run(now)),
    changeInvocation: (changed, audit = []) =>
      group.run((onRollback) => {
        const { tenant, id, revision } = changed
        const isChanged = change.run(...changedInvocationValues(changed), tenant, id, revision - 1).changes > 0
        if (isChanged) record(audit, onRollback)
        return isChanged
      }),
    claimMessage: (claim, at) =>
      group.run(() => {
        const first = claims.find(claim.key)
        if (!first) claims.put(claim, null, at)
        return first ?? claim
      }),
    forgetInvocations: (before, limit) => group.run(() => void forget.run(before, limit)),
    async eraseInvocations(tenant, userId, audit = []) {
      await group.run((onRollback) => {
        erase.run(tenant, userId)
        outbox.eraseOf(tenant, userId)
        record(audit, onRollback)
      })
      await emptyLog()
    },
  }
}

const NOBODY: NotTaken = { tenants: [], automations: [] }

type Condition = readonly [sql: string, ...values: SQLInputValue[]]

function conditionsOf(query: InvocationQuery): Condition[] {
  const { tenant, automationId, status, userId, deliveries, cursor } = query
  const conditions: (Condition | undefined)[] = [
    ['tenant = ?', tenant],
    automationId === undefined ? undefined : ['automation_id = ?', automationId],
    userId === undefined ? undefined : ['user_id = ?', userId],
    status && ['status = ?', status],
    deliveries === undefined ? undefined : [`origin ${deliveries ? '=' : '<>'} 'webhook'`],
    cursor === undefined ? undefined : ['(created_at, num) < (?, ?)', ...parseTimeCursor(cursor)],
  ]
  return conditions.filter((one) => one !== undefined)
}
