import { CHECKED_TABLES, compareRows, type Row } from '../check/compare-rows.ts'
import type { StoredReservation } from '../check/check-reservations.ts'
import { rebuildLog, type LogRow } from '../check/rebuild-log.ts'
import type { Checking } from './check-store.ts'
import type { Query } from './database.ts'
import { pagesOf } from './pages.ts'
import { MAX_SEQ } from './read-events.ts'
import { asStored } from './as-stored.ts'

interface SessionRow extends Row {
  readonly id: string
  readonly tenant: string
  readonly owner: string
  readonly deleted: number
  readonly parent_seq: number | null
  readonly head: number | null
  readonly isGone: boolean | null
}

type EventRow = LogRow & { session_id: string }
type Log = ReturnType<typeof rebuildLog>

/** Fewer rows per page, because bodies can be long. */
const EVENT_ROWS = 100
const SESSION_ROWS = 100

/** Session ids after the first and up to the second. */
type Range = readonly [after: string, upTo: string]
const WITHIN = 'session_id > $1 AND session_id <= $2'

export async function checkLogs({ query, counted, step }: Checking): Promise<string[]> {
  const findings: string[] = []
  const [all] = await query<{ n: number }>('SELECT count(*) AS n FROM sessions')
  counted.sessions = all?.n ?? 0
  const sessions = pagesOf<SessionRow>(query, {
    sql: `SELECT s.*, h.head, h.deleted AS "isGone" FROM sessions s LEFT JOIN heads h ON h.session_id = s.id
          WHERE s.id > $1 ORDER BY s.id LIMIT $2`,
    start: [''],
    placeOf: ({ id }) => [id],
    rows: SESSION_ROWS,
  })
  let done = 0
  let after = ''
  for await (const page of sessions) {
    const upTo = page.at(-1)?.id ?? after
    findings.push(...(await checkPage({ query, counted, step: () => step(done) }, page, [after, upTo])))
    after = upTo
    done += page.length
  }
  const strays = await query<{ session_id: string }>('SELECT DISTINCT session_id FROM events WHERE session_id > $1', [
    after,
  ])
  return [...findings, ...strays.map(({ session_id }) => strayFault(session_id))]
}

const strayFault = (id: string): string => `events of session ${id} belong to no session`

async function checkPage(checking: Checking, sessions: readonly SessionRow[], range: Range): Promise<string[]> {
  const { query, counted } = checking
  const { logs, findings } = await readLogs(checking, sessions, range)
  const stored = await storedRows(query, sessions, range)
  const reservations = Map.groupBy(
    await query<StoredReservation & { session_id: string }>(
      `SELECT session_id, seq, about, settled_at FROM reservations WHERE ${WITHIN} ORDER BY session_id, seq`,
      range,
    ),
    ({ session_id }) => session_id,
  )
  for (const session of sessions) {
    const log = session.deleted === 0 ? logs.get(session.id) : undefined
    findings.push(...headFaults(session, log))
    if (!log) continue
    counted.events += log.events()
    findings.push(
      ...log.findings,
      ...compareRows(session.id, stored.get(session.id) ?? new Map<string, Row>(), log.rows),
      ...log.reservations.compare(session.id, reservations.get(session.id) ?? []),
    )
  }
  return findings
}

/** The head must agree with the log about its end and with the session about its deletion. */
function headFaults({ id, deleted, head, isGone }: SessionRow, log: Log | undefined): string[] {
  if (head === null) return [`session ${id}: its head is missing`]
  if (isGone !== (deleted === 1)) return [`session ${id}: its head does not say the same about its deletion`]
  return log && log.head() !== head ? [`session ${id}: its head says ${head}, its log ends at ${log.head()}`] : []
}

async function readLogs({ query, step }: Checking, sessions: readonly SessionRow[], [after, upTo]: Range) {
  const logs = new Map<string, Log>()
  for (const session of sessions)
    logs.set(session.id, rebuildLog({ ...session, parentSeq: session.parent_seq }, asStored))
  const strays = new Set<string>()
  const rows = pagesOf<EventRow>(query, {
    sql: `SELECT session_id, seq, n, body FROM events WHERE (session_id, seq) > ($1, $2) AND session_id <= $3
          ORDER BY session_id, seq LIMIT $4`,
    start: [after, MAX_SEQ, upTo],
    placeOf: ({ session_id, seq }) => [session_id, seq, upTo],
    rows: EVENT_ROWS,
  })
  for await (const page of rows) {
    step()
    for (const row of page) {
      const log = logs.get(row.session_id)
      if (log) log.add(row)
      else strays.add(row.session_id)
    }
  }
  return { logs, findings: [...strays].map(strayFault) }
}

/** The projected rows of each session, as `compareRows` takes them. */
async function storedRows(
  query: Query,
  sessions: readonly SessionRow[],
  range: Range,
): Promise<Map<string, Map<string, Row>>> {
  const stored = new Map(
    sessions.map((session) => [session.id, new Map<string, Row>([[`sessions ${session.id}`, session]])]),
  )
  for (const [table, name] of Object.entries(CHECKED_TABLES)) {
    for (const row of await query<Row & { session_id: string }>(`SELECT * FROM ${table} WHERE ${WITHIN}`, range))
      stored.get(row.session_id)?.set(`${table} ${String(row[name])}`, row)
  }
  return stored
}
