import type { DatabaseSync } from 'node:sqlite'
import type { Reserved, StoredEvent } from '../../contract/event.ts'
import type { Quota } from '../../contract/tool.ts'
import { dayOf, shareOut, spendingOf, type Spending } from '../spending.ts'
import type { OverBudget } from '../money.ts'
import type { Budgets } from './budgets.ts'
import { eventKey } from './event-rows.ts'

const HOUR_MS = 3_600_000

interface Owner {
  tenant: string
  owner: string
}

interface Reservation extends Reserved {
  key: number
  what: Spending['what']
  tenant: string
  user_id: string
  day: string
  settled_at: number | null
}

export type Ledger = ReturnType<typeof ledgerIn>

/**
 * Counts what events reserve and spend in their own transaction; without a budget or quota nothing is reserved, and
 * spending is counted on the day it happens.
 */
export function ledgerIn(db: DatabaseSync, budgets: Budgets) {
  const ownerOf = db.prepare('SELECT tenant, owner FROM sessions WHERE num = ?')
  const about = db.prepare(
    `SELECT key, what, tenant, user_id, day, tokens, cost, settled_at FROM reservations
     WHERE session = ? AND about = ? ORDER BY key`,
  )
  const open = db.prepare(
    `SELECT key, what, tenant, user_id, day, tokens, cost, settled_at FROM reservations
     WHERE session = ? AND settled_at IS NULL`,
  )
  const insert = db.prepare(
    `INSERT INTO reservations (key, session, what, about, tenant, user_id, day, tool, tokens, cost, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  // Skips all lookups while there is no reservation at all.
  let mayHaveSome = db.prepare('SELECT 1 FROM reservations LIMIT 1').get() !== undefined
  const settle = db.prepare('UPDATE reservations SET settled_at = ?, spent_tokens = ?, spent_cost = ? WHERE key = ?')
  const ADD = `ON CONFLICT DO UPDATE SET tokens = tokens + excluded.tokens, tool_cost = tool_cost + excluded.tool_cost,
     cost = cost + excluded.cost`
  const count = db.prepare(
    `INSERT INTO spent (tenant, user_id, day, tokens, tool_cost, cost) VALUES (?, ?, ?, ?, ?, ?) ${ADD}`,
  )
  // A fork closes rounds it inherited; what those spent counts for its parent, and what belongs to no round for itself.
  const countOwn = db.prepare(
    `INSERT INTO spent (tenant, user_id, day, tokens, tool_cost, cost)
     SELECT s.tenant, s.owner, ?, ?, ?, ? FROM sessions s WHERE s.num = ? AND (s.parent IS NULL OR ? IS NULL OR EXISTS
       (SELECT 1 FROM rounds r WHERE r.request_id = ? AND r.key >= ? AND r.key < ?)) ${ADD}`,
  )
  const calledSince = db.prepare(
    'SELECT count(*) AS n FROM reservations WHERE tenant = ? AND tool = ? AND tool IS NOT NULL AND at > ?',
  )
  const calledNow = db.prepare(
    `SELECT count(*) AS n FROM reservations
     WHERE tenant = ? AND tool = ? AND tool IS NOT NULL AND settled_at IS NULL`,
  )

  function settleOne(row: Reservation, spent: Reserved, at: number): void {
    settle.run(at, spent.tokens, spent.cost, row.key)
    count.run(row.tenant, row.user_id, row.day, spent.tokens, row.what === 'tool' ? spent.cost : 0, spent.cost)
  }

  function settleAll({ what, about: of, settle: spent }: Spending, event: StoredEvent, session: number): void {
    if (!spent) return
    const rows = mayHaveSome ? (about.all(session, of) as unknown as Reservation[]) : []
    if (rows.length > 0) {
      const unsettled = rows.filter((row) => row.settled_at === null)
      const shares = spent === 'reserved' ? unsettled : shareOut(spent, unsettled)
      unsettled.forEach((row, i) => settleOne(row, shares[i] as Reserved, event.at))
    } else if (spent !== 'reserved' && (spent.tokens > 0 || spent.cost > 0)) {
      const { tokens, cost } = spent
      const [first, end] = [eventKey(session, 0), eventKey(session + 1, 0)]
      const toolCost = what === 'tool' ? cost : 0
      countOwn.run(dayOf(event.at), tokens, toolCost, cost, session, event.requestId, event.requestId, first, end)
    }
  }

  function reserve(spending: Spending, wanted: Reserved, event: StoredEvent, session: number): OverBudget | undefined {
    const { what, quota, tool = null } = spending
    const { tenant, owner } = ownerOf.get(session) as unknown as Owner
    const day = dayOf(event.at)
    const room = budgets.room(tenant, owner, day)
    if (!room && !quota) return undefined
    const over =
      (room && budgets.refusal(room, what, wanted)) ??
      (quota && tool !== null ? tooOften(tenant, tool, quota, event.at) : undefined)
    if (over) return over
    const { tokens, cost } = wanted
    const key = eventKey(session, event.seq)
    mayHaveSome = true
    insert.run(key, session, what, spending.about, tenant, owner, day, tool, tokens, cost, event.at)
    return undefined
  }

  function tooOften(tenant: string, tool: string, quota: Quota, at: number): OverBudget | undefined {
    const { perHour, concurrent } = quota
    if (perHour !== undefined && counted(calledSince.get(tenant, tool, at - HOUR_MS)) >= perHour)
      return { kind: 'over', what: 'hourly', tool, limit: perHour, left: 0 }
    if (concurrent !== undefined && counted(calledNow.get(tenant, tool)) >= concurrent)
      return { kind: 'over', what: 'concurrent', tool, limit: concurrent, left: 0 }
    return undefined
  }

  return {
    /** Books an event; if too little is left it returns why and has reserved nothing. */
    book(event: StoredEvent, session: number): OverBudget | undefined {
      // Rounds are closed before a session is deleted; anything still open is settled as reserved.
      if (event.type === 'session.deleted') {
        for (const row of open.all(session) as unknown as Reservation[]) settleOne(row, row, event.at)
        return undefined
      }
      const spending = spendingOf(event)
      if (!spending) return undefined
      settleAll(spending, event, session)
      return spending.reserve && reserve(spending, spending.reserve, event, session)
    },
  }
}

const counted = (row: unknown): number => (row as { n: number }).n
