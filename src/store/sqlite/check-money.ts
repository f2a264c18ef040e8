import type { DatabaseSync } from 'node:sqlite'
import { spendingOf } from '../spending.ts'
import { eventKey, seqOfKey, unpack } from './event-rows.ts'

interface Reservation {
  key: number
  about: string
  settled_at: number | null
}

/** What is set aside is for something the log says is open, what is settled for something it says is over. */
export function checkMoney(db: DatabaseSync): string[] {
  const sessions = db.prepare(
    `SELECT num, id FROM sessions WHERE deleted = 0 AND num IN (SELECT session FROM reservations) ORDER BY num`,
  )
  const reservations = db.prepare('SELECT key, about, settled_at FROM reservations WHERE session = ? ORDER BY key')
  const findings = negative(db)
  for (const { num, id } of sessions.all() as { num: number; id: string }[]) {
    const said = openInLog(db, num)
    for (const { key, about, settled_at } of reservations.all(num) as unknown as Reservation[]) {
      const name = `session ${id}: the reservation of event ${seqOfKey(key)}`
      const state = said.get(key)
      if (state?.about !== about) findings.push(`${name} is not in the log`)
      else if (state.isOpen && settled_at !== null) findings.push(`${name} is settled, the log says it is open`)
      else if (!state.isOpen && settled_at === null) findings.push(`${name} is open, the log says it is settled`)
    }
  }
  return findings
}

interface InLog {
  readonly about: string
  isOpen: boolean
}

/** Every reservation in a session's own events, by its place. */
function openInLog(db: DatabaseSync, num: number): Map<number, InLog> {
  const found = new Map<number, InLog>()
  const open = new Map<string, InLog[]>()
  const rows = db.prepare('SELECT key, body FROM events WHERE key >= ? AND key < ? ORDER BY key')
  for (const { key, body } of rows.all(eventKey(num, 0), eventKey(num + 1, 0)) as { key: number; body: string }[]) {
    for (const event of unpack(body, '', seqOfKey(key))) {
      const spending = spendingOf(event)
      if (!spending) continue
      const { about } = spending
      if (spending.settle) {
        for (const one of open.get(about) ?? []) one.isOpen = false
        open.delete(about)
      }
      if (spending.reserve) {
        const one = { about, isOpen: true }
        found.set(eventKey(num, event.seq), one)
        open.set(about, [...(open.get(about) ?? []), one])
      }
    }
  }
  return found
}

function negative(db: DatabaseSync): string[] {
  const spent = db.prepare('SELECT user_id, day FROM spent WHERE min(tokens, tool_cost, cost) < 0').all()
  const aside = db
    .prepare(
      `SELECT key FROM reservations
       WHERE min(tokens, cost, coalesce(spent_tokens, 0), coalesce(spent_cost, 0)) < 0`,
    )
    .all()
  return [
    ...(spent as { user_id: string; day: string }[]).map(
      ({ user_id, day }) => `spent: what ${user_id} spent on ${day} is negative`,
    ),
    ...(aside as { key: number }[]).map(({ key }) => `reservations: event ${seqOfKey(key)} has a negative amount`),
  ]
}
