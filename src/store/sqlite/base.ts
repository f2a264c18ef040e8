import type { AuditRecord } from '../../contract/audit.ts'
import type { Beside } from '../accounts.ts'
import type { Repeated } from '../inbox.ts'
import { auditIn } from './audit.ts'
import { blobsIn } from './blobs.ts'
import { claimsIn } from './claims.ts'
import { groupCommit, type OnRollback } from './group-commit.ts'
import { lineageOf } from './lineage.ts'
import { openDatabase, type SqliteOptions } from './open-database.ts'
import { headOf, readEvents } from './read-events.ts'
import { asProblem } from './sqlite-problem.ts'

export type Base = ReturnType<typeof openBase>

interface SessionRow {
  num: number
  parent_seq: number | null
  deleted: number
}

/** What the roles of a store share: the file, its transactions, and the tables that more than one of them needs. */
export function openBase(options: SqliteOptions) {
  const { file, durability } = options
  const { db, schema } = openDatabase(options)
  const group = groupCommit(db, durability === 'full' ? 'loop' : 'tick', (error) => asProblem(error, file))
  const lineage = lineageOf(db)
  const head = headOf(db)
  const events = readEvents(db, lineage)
  const claims = claimsIn(db)
  const audit = auditIn(db)
  const findRow = db.prepare('SELECT num, parent_seq, deleted FROM sessions WHERE id = ?')

  /** A row of the audit log belongs to one tenant. */
  function record(records: readonly AuditRecord[], onRollback: OnRollback): void {
    for (const ofOne of Map.groupBy(records, ({ tenant }) => tenant).values()) audit.append(ofOne, onRollback)
  }

  /** The row even of a deleted session. */
  const rowOf = (id: string): SessionRow | undefined => findRow.get(id) as unknown as SessionRow | undefined

  function living(sessionId: string): SessionRow | undefined {
    const row = rowOf(sessionId)
    return row?.deleted === 0 ? row : undefined
  }

  async function reading<T>(look: () => T | Promise<T>): Promise<T> {
    try {
      return await look()
    } catch (error) {
      throw asProblem(error, file)
    }
  }

  return {
    db,
    file,
    schema,
    group,
    lineage,
    head,
    events,
    claims,
    audit,
    rowOf,
    living,
    reading,
    blobs: blobsIn(db, lineage, events),
    record,
    /** Looks at something of a session, if there is one and it is not deleted. */
    inLiving: <T>(sessionId: string, look: (row: SessionRow) => T): Promise<T | undefined> =>
      reading(() => {
        const row = living(sessionId)
        return row && look(row)
      }),
    /** Something that is in no log, with what goes beside it; the claim decides whether it happens. */
    beside<T>(more: Beside | undefined, at: number, write: () => T): Promise<T | Repeated> {
      return group.run((onRollback) => {
        const taken = more?.claim && claims.find(more.claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const result = write()
        if (more?.claim) claims.put(more.claim, null, at)
        if (result !== false) record(more?.audit ?? [], onRollback)
        return result
      })
    },
  }
}
