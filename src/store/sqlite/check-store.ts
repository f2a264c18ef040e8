import type { DatabaseSync } from 'node:sqlite'
import type { AuditRow } from '../../contract/audit.ts'
import type { StoredEvent } from '../../contract/event.ts'
import { project } from '../project.ts'
import { headAfter, NO_HEAD, sealFault } from '../seal.ts'
import type { CheckReport } from '../upkeep.ts'
import { checkMoney } from './check-money.ts'
import { eventKey, seqOfKey, unpack } from './event-rows.ts'
import { lineageOf } from './lineage.ts'

type Row = Record<string, unknown>

/** What a session has rows in, which say whose it is, and the column that names a row. */
const TABLES = { rounds: 'request_id', approvals: 'id', calls: 'call_id' } as const

/** how many sessions of how many */
type Tell = (done: number, total: number) => void

type EventRow = { key: number; n: number; body: string }
type SessionRow = Row & { num: number; id: string }

/** Rebuilds every projection from the log and compares; also asks whether the file is sound and blobs are there. */
export function checkStore(db: DatabaseSync, onProgress: Tell = () => {}): CheckReport {
  const counted = { sessions: 0, events: 0 }
  const findings: string[] = []
  for (const part of [checkFile, checkLogs, checkInherited, checkBlobs, checkMoney, checkAudit]) {
    try {
      findings.push(...part(db, counted, onProgress))
    } catch (error) {
      // A page that cannot be read ends this part; saying so is what a check is for.
      findings.push(`file: ${(error as Error).message}`)
    }
  }
  return { ok: findings.length === 0, ...counted, findings }
}

function checkFile(db: DatabaseSync): string[] {
  const rows = db.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
  return rows.filter((row) => row.integrity_check !== 'ok').map((row) => `file: ${row.integrity_check}`)
}

function checkLogs(db: DatabaseSync, counted: { sessions: number; events: number }, onProgress: Tell): string[] {
  const findings: string[] = []
  const sessions = db.prepare('SELECT * FROM sessions ORDER BY num').all() as SessionRow[]
  counted.sessions = sessions.length
  const rows = db.prepare('SELECT key, n, body FROM events WHERE key >= ? AND key < ? ORDER BY key')
  for (const [at, session] of sessions.entries()) {
    onProgress(at, sessions.length)
    if (session['deleted'] === 1) continue
    const rebuilt = new Map<string, Row>()
    const whose = { tenant: session['tenant'], owner: session['owner'] }
    let next = Number(session['parent_seq'] ?? 0) + 1
    for (const row of rows.all(eventKey(session.num, 0), eventKey(session.num + 1, 0)) as unknown as EventRow[]) {
      const seq = seqOfKey(row.key)
      if (seq !== next) findings.push(`session ${session.id}: event ${next} is missing`)
      const unpacked = tryUnpack(row.body, session.id, seq)
      if (!unpacked) findings.push(`session ${session.id}: row ${seq} cannot be read`)
      else if (unpacked.length !== row.n) {
        findings.push(`session ${session.id}: row ${seq} says ${row.n}, holds ${unpacked.length}`)
      }
      next = seq + (unpacked?.length ?? row.n)
      counted.events += unpacked?.length ?? 0
      for (const p of (unpacked ?? []).flatMap(project)) {
        const name = `${p.table} ${p.key}`
        const known = rebuilt.get(name)
        if (p.create || known) rebuilt.set(name, { ...known, ...p.set, ...(p.table !== 'sessions' && whose) })
      }
    }
    findings.push(...compare(db, session, rebuilt))
  }
  const strays = db.prepare(`SELECT DISTINCT key / ${eventKey(1, 0)} AS num FROM events`).all() as { num: number }[]
  const known = new Set(sessions.map((session) => session.num))
  for (const { num } of strays)
    if (!known.has(num)) findings.push(`events of session number ${num} belong to no session`)
  return findings
}

function tryUnpack(body: string, sessionId: string, seq: number): StoredEvent[] | undefined {
  try {
    return unpack(body, sessionId, seq)
  } catch {
    return undefined
  }
}

/** What living forks inherit is there, also where its own session is deleted and has no projections left. */
function checkInherited(db: DatabaseSync): string[] {
  const findings: string[] = []
  const lineage = lineageOf(db)
  const forks = db.prepare('SELECT num, id FROM sessions WHERE deleted = 0 AND parent IS NOT NULL ORDER BY num')
  const rows = db.prepare('SELECT key, n FROM events WHERE key >= ? AND key <= ? ORDER BY key')
  for (const fork of forks.all() as { num: number; id: string }[]) {
    let next = 1
    for (const segment of lineage(fork.num, Infinity)) {
      if (segment.num === fork.num) break
      const found = rows.all(eventKey(segment.num, segment.from), eventKey(segment.num, segment.to))
      for (const { key, n } of found as { key: number; n: number }[]) if (seqOfKey(key) === next) next += n
      if (next <= segment.to) findings.push(`session ${fork.id}: inherited event ${next} is missing`)
      next = segment.to + 1
    }
  }
  return findings
}

/** What a living session names is there. */
function checkBlobs(db: DatabaseSync): string[] {
  const missing = db.prepare(
    `SELECT DISTINCT s.id, r.hash FROM blob_refs r JOIN sessions s ON s.num = r.session
     WHERE s.deleted = 0 AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.hash = r.hash)`,
  )
  return (missing.all() as { id: string; hash: string }[]).map(
    ({ id, hash }) => `session ${id}: the blob ${hash} is missing`,
  )
}

/** The audit log is as it was sealed. That its end was not cut off only a head kept elsewhere can show. */
function checkAudit(db: DatabaseSync): string[] {
  const findings: string[] = []
  let head = NO_HEAD
  const rows = db.prepare('SELECT seq, tenant, at, body, hash FROM audit ORDER BY seq').iterate()
  for (const row of rows as Iterable<unknown> as Iterable<AuditRow>) {
    const fault = sealFault(head, row)
    if (fault !== undefined) findings.push(`audit: ${fault}`)
    head = headAfter(row)
  }
  return findings
}

function compare(db: DatabaseSync, session: SessionRow, rebuilt: Map<string, Row>): string[] {
  const stored = new Map<string, Row>([[`sessions ${session.id}`, session]])
  for (const [table, name] of Object.entries(TABLES)) {
    const [where, ...values] =
      table === 'rounds'
        ? (['key >= ? AND key < ?', eventKey(session.num, 0), eventKey(session.num + 1, 0)] as const)
        : (['session = ?', session.num] as const)
    for (const row of db.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(...values) as Row[])
      stored.set(`${table} ${String(row[name])}`, row)
  }
  const findings: string[] = []
  for (const [name, expected] of rebuilt) {
    const found = stored.get(name)
    if (!found) findings.push(`session ${session.id}: ${name} is missing`)
    for (const [column, value] of found ? Object.entries(expected) : []) {
      // A column cannot hold half a surrogate pair, as the log can.
      const held = typeof value === 'string' ? value.toWellFormed() : value
      if (found?.[column] !== held) findings.push(`session ${session.id}: ${name}.${column} differs from the log`)
    }
    stored.delete(name)
  }
  for (const name of stored.keys()) findings.push(`session ${session.id}: ${name} is not in the log`)
  return findings
}
