import type { DatabaseSync } from 'node:sqlite'
import { project } from '../project.ts'
import type { CheckReport } from '../store.ts'
import { eventKey, seqOfKey, unpack } from './event-rows.ts'

type Row = Record<string, unknown>

const TABLES = ['rounds', 'approvals', 'calls'] as const

/** Rebuilds every projection from the log and compares; also asks SQLite whether the file is sound. */
export function checkStore(db: DatabaseSync): CheckReport {
  const findings: string[] = []
  for (const row of db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]) {
    if (row.integrity_check !== 'ok') findings.push(`file: ${row.integrity_check}`)
  }
  const sessions = db.prepare('SELECT * FROM sessions ORDER BY num').all() as (Row & { num: number; id: string })[]
  const rows = db.prepare('SELECT key, n, body FROM events WHERE key >= ? AND key < ? ORDER BY key')
  let events = 0
  for (const session of sessions) {
    if (session['deleted'] === 1) continue
    const rebuilt = new Map<string, Row>()
    let next = Number(session['parent_seq'] ?? 0) + 1
    for (const row of rows.all(eventKey(session.num, 0), eventKey(session.num + 1, 0)) as {
      key: number
      n: number
      body: string
    }[]) {
      if (seqOfKey(row.key) !== next) findings.push(`session ${session.id}: event ${next} is missing`)
      const unpacked = unpack(row.body, session.id, seqOfKey(row.key))
      if (unpacked.length !== row.n) findings.push(`session ${session.id}: row ${next} says ${row.n}, holds ${unpacked.length}`)
      next = seqOfKey(row.key) + unpacked.length
      events += unpacked.length
      for (const event of unpacked) {
        const p = project(event)
        if (!p) continue
        const name = `${p.table} ${p.key}`
        const known = rebuilt.get(name)
        if (p.create || known) rebuilt.set(name, { ...known, ...p.set })
      }
    }
    findings.push(...compare(db, session, rebuilt))
  }
  return { ok: findings.length === 0, sessions: sessions.length, events, findings }
}

function compare(db: DatabaseSync, session: Row & { num: number; id: string }, rebuilt: Map<string, Row>): string[] {
  const stored = new Map<string, Row>([[`sessions ${session.id}`, session]])
  for (const table of TABLES) {
    const [where, ...values] =
      table === 'rounds'
        ? ['key >= ? AND key < ?', eventKey(session.num, 0), eventKey(session.num + 1, 0)]
        : ['session = ?', session.num]
    for (const row of db.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(...(values as number[])) as Row[]) {
      stored.set(`${table} ${String(row['request_id'] && table === 'rounds' ? row['request_id'] : (row['id'] ?? row['call_id']))}`, row)
    }
  }
  const findings: string[] = []
  for (const [name, expected] of rebuilt) {
    const found = stored.get(name)
    if (!found) findings.push(`session ${session.id}: ${name} is missing`)
    else {
      for (const [column, value] of Object.entries(expected)) {
        if (found[column] !== value) findings.push(`session ${session.id}: ${name}.${column} differs from the log`)
      }
    }
    stored.delete(name)
  }
  for (const name of stored.keys()) findings.push(`session ${session.id}: ${name} is not in the log`)
  return findings
}
