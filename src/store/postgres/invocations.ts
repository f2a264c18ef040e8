import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
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
import type { AddedInvocation, InvocationExtras, InvocationQuery, InvocationStore, NotTaken } from '../invocations.ts'
import { pageOf, parseTimeCursor, timeCursor, viewOf } from '../page.ts'
import { record, type Base } from './base.ts'
import { spend } from './budgets.ts'
import { findClaim, putClaim } from './claims.ts'
import type { Query } from './database.ts'
import { eraseOutboxOf } from './outbox.ts'
import { retry } from './retry.ts'

const INSERT = `INSERT INTO invocations (${NEW_INVOCATION_COLUMNS})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
  ON CONFLICT (tenant, key) DO NOTHING RETURNING ${INVOCATION_COLUMNS}`

const SELECT = `SELECT ${INVOCATION_COLUMNS} FROM invocations`

const COUNT_STARTED = `SELECT count(*) AS n FROM invocations
  WHERE tenant = $1 AND automation_id = $2 AND created_at > $3 AND origin_id = $4`

// Read from the end of an index, however many there have been.
const ENDS = `SELECT status, user_id AS "userId", created_at AS "createdAt",
    ended_at - (body::json ->> 'startedAt')::bigint AS "tookMs"
  FROM invocations WHERE tenant = $1 AND automation_id = $2 AND created_at > $3
  ORDER BY created_at DESC, num DESC LIMIT $4`

const SINCE = `SELECT count(*) AS n FROM
  (SELECT FROM invocations WHERE tenant = $1 AND automation_id = $2 AND created_at > $3 LIMIT $4) found`
const OPEN = `SELECT count(*) AS n FROM
  (SELECT FROM invocations WHERE tenant = $1 AND automation_id = $2 AND ended_at IS NULL LIMIT $3) found`

// Taking one moves its time past the lease, so that it is due again if the node dies; locked ones are skipped.
const TAKE = `UPDATE invocations SET due_at = $1, revision = revision + 1 WHERE num =
  (SELECT num FROM invocations WHERE due_at <= $2 AND tenant <> ALL ($3) AND automation_id <> ALL ($4)
   ORDER BY due_at, num LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING ${INVOCATION_COLUMNS}`

// What was erased stays so, whoever still had it.
const CHANGE = `UPDATE invocations SET status = $1, due_at = $2, ended_at = $3, revision = $4::integer, body = $5,
    content = CASE WHEN content IS NULL THEN NULL ELSE $6 END
  WHERE tenant = $7 AND id = $8 AND revision = $4::integer - 1 RETURNING id`

const FORGET = `DELETE FROM invocations WHERE num IN (SELECT num FROM invocations
  WHERE due_at IS NULL AND ended_at < $1 ORDER BY ended_at, num LIMIT $2 FOR UPDATE SKIP LOCKED)`

/** Takes the content out of invocations, always in the same order so that nobody waits for each other. */
export const eraseContent = (where: string): string =>
  `UPDATE invocations SET content = NULL, revision = revision + 1
   WHERE num IN (SELECT num FROM invocations WHERE ${where} AND content IS NOT NULL ORDER BY num FOR UPDATE)`

const NOBODY: NotTaken = { tenants: [], automations: [] }

export function invocationStore({ query, transaction }: Base): InvocationStore {
  const inTurn = oneAtATime<AddedInvocation>()

  async function add(
    within: Query,
    added: Invocation,
    { quota = {}, cost, audit = [] }: InvocationExtras,
  ): Promise<AddedInvocation> {
    const { tenant, automationId, key, userId, sessionId, createdAt } = added
    // Only one at a time counts and adds.
    if (isLimited(quota)) await within('SELECT FROM automations WHERE id = $1 FOR UPDATE', [automationId])
    const before = await known(within, tenant, key)
    if (before) return before
    const what = await over(within, added, quota)
    if (what) return { kind: 'over', what }
    const values = newInvocationValues(added, await isDeleted(within, sessionId))
    const [row] = await within<InvocationRow>(INSERT, values)
    if (!row) return (await known(within, tenant, key)) ?? forgotten()
    const costs = wholeCost(cost)
    // Last, so that what somebody spent is locked for the shortest time.
    if (costs > 0 && !(await spend(within, { tenant, userId, at: createdAt, cost: costs }))) throw new NothingLeft()
    await record(within, audit)
    return { kind: 'added', invocation: invocationOfRow(row) }
  }

  return {
    addInvocation(added, more = {}) {
      const work = () => retry(() => transaction((within) => add(within, added, more))).catch(overBudget)
      // Here they wait in turn, so that they hold no connections.
      return isLimited(more.quota) ? inTurn(keyOf('invocations', added.automationId), work) : work()
    },
    async invocation(tenant, id) {
      const [row] = await query<InvocationRow>(`${SELECT} WHERE tenant = $1 AND id = $2`, [tenant, id])
      return viewOf(row, invocationOfRow)
    },
    async anyInvocation(id) {
      return viewOf((await query<InvocationRow>(`${SELECT} WHERE id = $1`, [id]))[0], invocationOfRow)
    },
    invocationByKey: async (tenant, key) => viewOf(await rowByKey(query, tenant, key), invocationOfRow),
    async countStarted({ tenant, automationId, originId, since }) {
      return (await query<{ n: number }>(COUNT_STARTED, [tenant, automationId, since, originId]))[0]?.n ?? 0
    },
    async invocationEnds({ tenant, automationId, since, limit }) {
      return (await query<EndRow>(ENDS, [tenant, automationId, since, limit])).map(endOfRow)
    },
    async invocations({ limit = 50, ...asked }) {
      const { where, values } = conditionsOf(asked)
      const rows = await query<InvocationRow>(
        `${SELECT} WHERE ${where} ORDER BY created_at DESC, num DESC LIMIT ${limit + 1}`,
        values,
      )
      return pageOf(rows, limit, invocationOfRow, ({ createdAt, num }) => timeCursor(createdAt, num))
    },
    async takeInvocation(now, leaseMs, { tenants, automations } = NOBODY) {
      const [row] = await query<InvocationRow>(TAKE, [now + leaseMs, now, tenants, automations])
      return viewOf(row, invocationOfRow)
    },
    // Another node may be at work on them.
    async freeInvocations() {},
    changeInvocation: (changed, audit = []) =>
      transaction(async (within) => {
        const values = [...changedInvocationValues(changed), changed.tenant, changed.id]
        const isChanged = (await within(CHANGE, values)).length > 0
        if (isChanged) await record(within, audit)
        return isChanged
      }),
    async claimMessage(claim, at) {
      if (await putClaim(query, claim, at)) return claim
      return (await findClaim(query, claim.key)) ?? claim
    },
    async forgetInvocations(before, limit) {
      await query(FORGET, [before, limit])
    },
    eraseInvocations: (tenant, userId, audit = []) =>
      transaction(async (within) => {
        await within(eraseContent('tenant = $1 AND user_id = $2'), [tenant, userId])
        await eraseOutboxOf(within, tenant, userId)
        await record(within, audit)
      }),
  }
}

const isLimited = ({ perHour, concurrent }: Quota = {}): boolean => perHour !== undefined || concurrent !== undefined

async function rowByKey(query: Query, tenant: string, key: string): Promise<InvocationRow | undefined> {
  return (await query<InvocationRow>(`${SELECT} WHERE tenant = $1 AND key = $2`, [tenant, key]))[0]
}

async function known(query: Query, tenant: string, key: string): Promise<AddedInvocation | undefined> {
  const row = await rowByKey(query, tenant, key)
  return row && { kind: 'known', invocation: invocationOfRow(row) }
}

function forgotten(): never {
  throw new Error('an invocation was forgotten while it was added again')
}

async function over(
  query: Query,
  { tenant, automationId, createdAt }: Invocation,
  { perHour, concurrent }: Quota,
): Promise<keyof Quota | undefined> {
  const counted = async (sql: string, ...more: number[]): Promise<number> =>
    (await query<{ n: number }>(sql, [tenant, automationId, ...more]))[0]?.n ?? 0
  if (perHour !== undefined && (await counted(SINCE, createdAt - QUOTA_MS, perHour)) >= perHour) return 'perHour'
  if (concurrent !== undefined && (await counted(OPEN, concurrent)) >= concurrent) return 'concurrent'
  return undefined
}

/** Undoes what was added. */
class NothingLeft extends Error {}

function overBudget(error: unknown): AddedInvocation {
  if (error instanceof NothingLeft) return { kind: 'over', what: 'budget' }
  throw error
}

/** Whoever deletes the session meanwhile waits, so that its purge finds what is added. */
async function isDeleted(query: Query, sessionId: string | undefined): Promise<boolean> {
  if (sessionId === undefined) return false
  const sql = 'SELECT deleted FROM heads WHERE session_id = $1 FOR SHARE'
  return (await query<{ deleted: boolean }>(sql, [sessionId]))[0]?.deleted === true
}

function conditionsOf(asked: InvocationQuery): { where: string; values: unknown[] } {
  const { tenant, automationId, status, userId, deliveries, cursor } = asked
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (sql: string, ...given: unknown[]): void => {
    conditions.push(sql.replaceAll('?', () => `$${values.push(given.shift())}`))
  }
  add('tenant = ?', tenant)
  if (automationId !== undefined) add('automation_id = ?', automationId)
  if (userId !== undefined) add('user_id = ?', userId)
  if (status !== undefined) add('status = ?', status)
  if (deliveries !== undefined) add(`origin ${deliveries ? '=' : '<>'} 'webhook'`)
  if (cursor !== undefined) add('(created_at, num) < (?, ?)', ...parseTimeCursor(cursor))
  return { where: conditions.join(' AND '), values }
}
