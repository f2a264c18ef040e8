import type { StoredEvent } from '../../contract/event.ts'
import { newId } from '../../lib/id.ts'
import { auditRowOf } from '../content-free.ts'
import { cleanText } from '../clean-text.ts'
import { hashesOf } from '../hashes-of.ts'
import type { Blob, Change } from '../log.ts'
import { requiredVersion, type KnownSince } from '../required-version.ts'
import { packRows } from '../pack-events.ts'
import { projectAll, type Projection } from '../project.ts'
import { dayOf, spendingOf } from '../spending.ts'
import { asStored } from './as-stored.ts'
import { outboxJson } from './outbox.ts'
import type { NamedPart } from './parts.ts'

/** A change as `commit_changes` takes it. */
export interface SentChange {
  readonly sessionId: string
  readonly isAlone: boolean
  /** what its events name is stored in one transaction with them */
  readonly isWhole: boolean
  /** the version a node must know to own the session with these events */
  readonly needs: number
  readonly events: readonly StoredEvent[]
  readonly body: string
  /** the columns of the SQL type `change` */
  readonly row: Readonly<Record<string, unknown>>
  readonly blobs: readonly Blob[]
  readonly parts: readonly NamedPart[]
  /** what automations may want to hear of, as JSON */
  readonly outbox?: string
}

/** Throws on a malformed change here, before it is sent with others. */
export function sentChange(change: Change, node: string, knownSince?: KnownSince): SentChange {
  const { sessionId, epoch, expected, create, consumed, deferred, claim, jobs } = change
  const { blobs = [], parts = [], outbox = [] } = change
  const events = change.events.map((event, i): StoredEvent => ({ ...event, sessionId, seq: expected + 1 + i }))
  const money = events.flatMap(moneyOf)
  const needs = requiredVersion(events, knownSince)
  const refs = events.flatMap((event) => hashesOf(event).map((hash) => ({ hash, seq: event.seq })))
  const rows = {
    ...rowsOf(projectAll(events).map(asStored)),
    ...some('refs', refs),
    ...some('consumed', consumed),
    ...some('looked', deferred),
    ...some(
      'jobs',
      jobs?.map(({ kind, payload, runAt }) => ({ kind, payload: JSON.stringify(payload), run_at: runAt })),
    ),
  }
  const [body = '', ...more] = packRows(change.events)
  const deletes = events.some(({ type }) => type === 'session.deleted')
  const row = {
    session_id: sessionId,
    node,
    epoch,
    expected,
    n: events.length,
    commit_id: newId(),
    at: claim?.at ?? change.events[0]?.at,
    needs,
    has_rows: Object.keys(rows).length > 0,
    is_special: create !== undefined || deletes || claim !== undefined || more.length > 0 || reserves(money),
    creates: create !== undefined,
    deletes,
    ...(create?.parent && { parent: create.parent.sessionId, parent_seq: create.parent.seq }),
    ...some('more', more),
    ...rows,
    ...(claim && {
      claim_key: cleanText(claim.key),
      claim_hash: claim.hash,
      claim_result: JSON.stringify(claim.result),
    }),
    ...auditOf(change),
    ...moneyColumns(money),
  }
  // A session that is not created must leave no part behind, because it is never purged.
  const isWhole = blobs.length > 0 || (create !== undefined && parts.length > 0)
  // Two calls that each lock the quotas of several tools could deadlock.
  const isAlone = isWhole || money.some(({ tool }) => tool !== undefined)
  const named = parts.map((part) => ({ part, sessionId, seq: expected + 1 }))
  const sent = { sessionId, isAlone, isWhole, needs, events, body, row, blobs, parts: named }
  return outbox.length > 0 ? { ...sent, outbox: outboxJson(outbox) } : sent
}

const some = (name: string, list: readonly unknown[] | undefined): object =>
  list && list.length > 0 ? { [name]: list } : {}

/** Projected rows by table: `new_` ones whole, of others the changed columns. */
function rowsOf(projections: readonly Projection[]): Record<string, unknown> {
  const rows: Record<string, unknown[]> = {}
  let session: object | undefined
  for (const { table, key, create, set } of projections) {
    if (table === 'sessions') session = set
    else if (create) (rows[`new_${table}`] ??= []).push({ [ID[table]]: key, ...set })
    else (rows[table] ??= []).push({ key, set })
  }
  return { ...(session && { session }), ...rows }
}

const ID = { rounds: 'request_id', approvals: 'id', calls: 'call_id' } as const

function moneyOf(event: StoredEvent): Money[] {
  const { seq, at, requestId } = event
  if (event.type === 'session.deleted') return [{ seq, at, deletes: true }]
  const spending = spendingOf(event)
  if (!spending) return []
  const { what, about, settle, reserve, quota, tool } = spending
  const spent = settle === 'reserved' ? undefined : settle
  const one: Money = {
    seq,
    at,
    day: dayOf(at),
    request_id: requestId,
    what,
    about,
    ...(settle && { settles: settle === 'reserved' ? 'reserved' : 'spent', ...spent }),
    ...(reserve && { aside_tokens: reserve.tokens, aside_cost: reserve.cost }),
    ...(quota && { tool: tool ?? '', per_hour: quota.perHour, concurrent: quota.concurrent }),
  }
  return [one]
}

/** The columns of the SQL type `spending`. */
interface Money {
  readonly seq: number
  readonly at: number
  readonly day?: string
  readonly request_id?: string | null
  readonly what?: string
  readonly about?: string
  readonly settles?: 'reserved' | 'spent'
  readonly tokens?: number
  readonly cost?: number
  readonly aside_tokens?: number
  readonly aside_cost?: number
  readonly tool?: string
  readonly per_hour?: number | undefined
  readonly concurrent?: number | undefined
  readonly deletes?: true
}

/** Something is reserved, or several events spend, so that each is booked by itself. */
const reserves = (money: readonly Money[]): boolean =>
  money.some(({ aside_tokens }) => aside_tokens !== undefined) || money.filter(hasSpent).length > 1

const hasSpent = ({ settles, tokens = 0, cost = 0 }: Money): boolean => settles === 'spent' && tokens + cost > 0

/** If nothing is reserved, a counter is enough. */
function moneyColumns(money: readonly Money[]): object {
  if (money.length === 0) return {}
  const spent = money.find(hasSpent)
  if (!spent || reserves(money)) return { money }
  const { request_id, what, day, tokens = 0, cost = 0 } = spent
  return {
    money,
    spent_by: request_id,
    spent_day: day,
    spent_tokens: tokens,
    spent_tool_cost: what === 'tool' ? cost : 0,
    spent_cost: cost,
  }
}

/** It is sealed later. */
function auditOf({ audit = [] }: Change): object {
  const row = auditRowOf(audit)
  return row ? { audit_tenant: row.tenant, audit_at: row.at, audit_body: row.body } : {}
}
