import type { StoredEvent } from '../../contract/event.ts'
import { unpack } from '../pack-events.ts'
import { project, type Projection } from '../project.ts'
import type { Row } from './compare-rows.ts'
import { reservationsInLog } from './check-reservations.ts'

export interface CheckedSession {
  readonly id: string
  readonly tenant: string
  readonly owner: string
  /** of a fork: the number its own events begin after */
  readonly parentSeq: number | null
}

/** The events of one commit. */
export interface LogRow {
  readonly seq: number
  readonly n: number
  readonly body: string
}

/** Reads a session's own log row by row, and collects faults and what its projected rows must be. */
export function rebuildLog(
  session: CheckedSession,
  columns: (projection: Projection) => Projection = (projection) => projection,
) {
  const findings: string[] = []
  const rows = new Map<string, Row>()
  const reservations = reservationsInLog()
  const whose = { tenant: session.tenant, owner: session.owner }
  let next = (session.parentSeq ?? 0) + 1
  let events = 0

  function apply(p: Projection): void {
    const name = `${p.table} ${p.key}`
    const known = rows.get(name)
    if (p.create || known) rows.set(name, { ...known, ...p.set, ...(p.table !== 'sessions' && whose) })
  }

  return {
    findings,
    rows,
    reservations,
    events: () => events,
    head: () => next - 1,
    add({ seq, n, body }: LogRow): void {
      if (seq !== next) findings.push(`session ${session.id}: event ${next} is missing`)
      const unpacked = tryUnpack(body, session.id, seq)
      if (!unpacked) findings.push(`session ${session.id}: row ${seq} cannot be read`)
      else if (unpacked.length !== n)
        findings.push(`session ${session.id}: row ${seq} says ${n}, holds ${unpacked.length}`)
      next = seq + (unpacked?.length ?? n)
      events += unpacked?.length ?? 0
      for (const event of unpacked ?? []) {
        for (const p of project(event)) apply(columns(p))
        reservations.add(event)
      }
    },
  }
}

function tryUnpack(body: string, sessionId: string, seq: number): StoredEvent[] | undefined {
  try {
    return unpack(body, sessionId, seq)
  } catch {
    return undefined
  }
}
