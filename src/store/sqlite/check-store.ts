import type { DatabaseSync } from 'node:sqlite'
import type { AuditRow } from '../../contract/audit.ts'
import { CHECKED_TABLES, compareRows, type Row } from '../check/compare-rows.ts'
import { rebuildLog } from '../check/rebuild-log.ts'
import { sealChain } from '../seal.ts'
import type { CheckReport } from '../upkeep.ts'
import { eventKey, seqOfKey } from './event-rows.ts'
import { lineageOf } from './lineage.ts'

/** Called with how many of the sessions are checked. */
type Tell = (done: number, total: number) => void

type EventRow = { key: number; n: number; body: string }
type SessionRow = Row & { num: number; id: string; tenant: string; owner: string; parent_seq: number | null }
type Reservation = { key: number; about: string; settled_at: number | null }

/** Checks the file, the blobs, parts, amounts and seals, and compares every projection with the log. */
export function checkStore(db: DatabaseSync, onProgress: Tell = () => {}): CheckReport {
  const counted = { sessions: 0, events: 0 }
  const findings: string[] = []
  for (const part of [
    checkFile,
    checkLogs,
    checkInherited,
    checkBlobs,
    checkParts,
    checkDocuments,
    checkAmounts,
    checkAudit,
  ]) {
    try {
      findings.push(...part(db, counted, onProgress))
    } catch (error) {
      // A page that cannot be read ends this part of the check.
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
  const reserved = db.prepare('SELECT key, about, settled_at FROM reservations WHERE session = ? ORDER BY key')
  for (const [at, session] of sessions.entries()) {
    onProgress(at, sessions.length)
    if (session['deleted'] === 1) continue
    const log = rebuildLog({ ...session, parentSeq: session.parent_seq })
    for (const row of rows.all(eventKey(session.num, 0), eventKey(session.num + 1, 0)) as unknown as EventRow[])
      log.add({ ...row, seq: seqOfKey(row.key) })
    counted.events += log.events()
    const reservations = (reserved.all(session.num) as unknown as Reservation[]).map((row) => ({
      ...row,
      seq: seqOfKey(row.key),
    }))
    findings.push(
      ...log.findings,
      ...compareRows(session.id, storedRows(db, session), log.rows),
      ...log.reservations.compare(session.id, reservations),
    )
  }
  const strays = db.prepare(`SELECT DISTINCT key / ${eventKey(1, 0)} AS num FROM events`).all() as { num: number }[]
  const known = new Set(sessions.map((session) => session.num))
  for (const { num } of strays)
    if (!known.has(num)) findings.push(`events of session number ${num} belong to no session`)
  return findings
}

/** Events that living forks inherit must exist, also when their own session is deleted. */
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

function checkBlobs(db: DatabaseSync): string[] {
  const missing = db.prepare(
    `SELECT DISTINCT s.id, r.hash FROM blob_refs r JOIN sessions s ON s.num = r.session
     WHERE s.deleted = 0 AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.hash = r.hash)`,
  )
  return (missing.all() as { id: string; hash: string }[]).map(
    ({ id, hash }) => `session ${id}: the blob ${hash} is missing`,
  )
}

/** A part may be erased while events still name it, but one that nobody refers to would stay for ever. */
function checkParts(db: DatabaseSync): string[] {
  const unnamed = db.prepare('SELECT hash FROM parts WHERE hash NOT IN (SELECT hash FROM part_refs) ORDER BY hash')
  return (unnamed.all() as { hash: string }[]).map(({ hash }) => `part ${hash}: nobody refers to it`)
}

/** Each version must have all its chunks, and nothing may be left of chunks that are gone. */
function checkDocuments(db: DatabaseSync): string[] {
  const broken = db.prepare(
    `SELECT d.id, n.version FROM documents d, (SELECT document, version, chunks,
       (SELECT count(*) FROM chunks c WHERE c.body = v.body) AS found FROM document_versions v) n
     WHERE n.document = d.num AND n.chunks <> n.found ORDER BY d.num, n.version`,
  )
  const without = db.prepare(
    `SELECT id FROM documents d WHERE version NOT IN (SELECT version FROM document_versions WHERE document = d.num)
     OR published_version NOT IN (SELECT version FROM document_versions WHERE document = d.num) ORDER BY num`,
  )
  const strays = db.prepare(
    `SELECT (SELECT count(*) FROM document_versions WHERE document NOT IN (SELECT num FROM documents)) AS versions,
     (SELECT count(*) FROM chunks WHERE body NOT IN (SELECT num FROM bodies)) AS chunks,
     (SELECT count(*) FROM chunk_vectors WHERE chunk NOT IN (SELECT num FROM chunks)) AS vectors`,
  )
  return [
    ...(broken.all() as { id: string; version: number }[]).map(
      ({ id, version }) => `document ${id}: version ${version} has not all its chunks`,
    ),
    ...(without.all() as { id: string }[]).map(({ id }) => `document ${id}: a version is missing`),
    ...Object.entries(strays.get() as Record<string, number>)
      .filter(([, n]) => n > 0)
      .map(([what, n]) => `documents: ${n} ${what} belong to none`),
  ]
}

function checkAudit(db: DatabaseSync): string[] {
  const chain = sealChain()
  const rows = db.prepare('SELECT seq, tenant, at, body, hash FROM audit ORDER BY seq').iterate()
  for (const row of rows as Iterable<unknown> as Iterable<AuditRow>) chain.add(row)
  return chain.faults.map((fault) => `audit: ${fault}`)
}

function checkAmounts(db: DatabaseSync): string[] {
  const spent = db.prepare('SELECT user_id, day FROM spent WHERE min(tokens, tool_cost, cost) < 0').all()
  const reserved = db
    .prepare(
      `SELECT key FROM reservations
       WHERE min(tokens, cost, coalesce(spent_tokens, 0), coalesce(spent_cost, 0)) < 0`,
    )
    .all()
  return [
    ...(spent as { user_id: string; day: string }[]).map(
      ({ user_id, day }) => `spent: what ${user_id} spent on ${day} is negative`,
    ),
    ...(reserved as { key: number }[]).map(({ key }) => `reservations: event ${seqOfKey(key)} has a negative amount`),
  ]
}

function storedRows(db: DatabaseSync, session: SessionRow): Map<string, Row> {
  const stored = new Map<string, Row>([[`sessions ${session.id}`, session]])
  for (const [table, name] of Object.entries(CHECKED_TABLES)) {
    const [where, ...values] =
      table === 'rounds'
        ? (['key >= ? AND key < ?', eventKey(session.num, 0), eventKey(session.num + 1, 0)] as const)
        : (['session = ?', session.num] as const)
    for (const row of db.prepare(`SELECT * FROM ${table} WHERE ${where}`).all(...values) as Row[])
      stored.set(`${table} ${String(row[name])}`, row)
  }
  return stored
}
