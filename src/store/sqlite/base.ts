import type { AuditRecord } from '../../contract/audit.ts'
import type { Extras } from '../accounts.ts'
import type { Repeated } from '../inbox.ts'
import { auditIn } from './audit.ts'
import { blobsIn } from './blobs.ts'
import { claimsIn } from './claims.ts'
import type { OwnedRow } from './commit-change.ts'
import { groupCommit, type OnRollback } from './group-commit.ts'
import { checkpoint } from './layout.ts'
import { lineageOf } from './lineage.ts'
import { outboxIn } from './outbox.ts'
import { partsIn } from './parts.ts'
import { openDatabase, type SqliteOptions } from './open-database.ts'
import { headOf, readEvents } from './read-events.ts'
import { asProblem } from './sqlite-problem.ts'

export type Base = ReturnType<typeof openBase>

interface SessionRow {
  num: number
  parent_seq: number | null
  deleted: number
}

/** What the roles of a store share. */
export function openBase(options: SqliteOptions) {
  const { file, durability } = options
  const { db, schema } = openDatabase(options)
  const group = groupCommit(db, durability === 'full' ? 'loop' : 'tick', (error) => asProblem(error, file))
  const lineage = lineageOf(db)
  const head = headOf(db)
  const events = readEvents(db, lineage)
  const claims = claimsIn(db)
  const audit = auditIn(db)
  const outbox = outboxIn(db)
  const findRow = db.prepare('SELECT num, parent_seq, deleted FROM sessions WHERE id = ?')

  /** Appends one audit row per tenant. */
  function record(records: readonly AuditRecord[], onRollback: OnRollback): void {
    for (const ofOne of Map.groupBy(records, ({ tenant }) => tenant).values()) audit.append(ofOne, onRollback)
  }

  const rowOf = (id: string): SessionRow | undefined => findRow.get(id) as unknown as SessionRow | undefined

  function living(sessionId: string): SessionRow | undefined {
    const row = rowOf(sessionId)
    return row?.deleted === 0 ? row : undefined
  }

  async function reading<T>(read: () => T | Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw asProblem(error, file)
    }
  }

  return {
    db,
    file,
    schema,
    group,
    owned: new Map<string, OwnedRow>(),
    lineage,
    head,
    events,
    claims,
    audit,
    rowOf,
    living,
    reading,
    blobs: blobsIn(db, lineage, events),
    parts: partsIn(db),
    record,
    outbox,
    /** Erased pages stay in the write-ahead log until then. */
    emptyLog: (): Promise<void> => reading(() => checkpoint(db)),
    /** Reads something of a session that exists and is not deleted. */
    inLiving: <T>(sessionId: string, read: (row: SessionRow) => T): Promise<T | undefined> =>
      reading(() => {
        const row = living(sessionId)
        return row && read(row)
      }),
    /**
     * Writes something that is in no log, once per claim, with its audit records and outbox events; neither, if it
     * turns out false or undefined.
     */
    withExtras<T>(extras: Extras | undefined, at: number, write: () => T): Promise<T | Repeated> {
      return group.run((onRollback) => {
        const taken = extras?.claim && claims.find(extras.claim.key)
        if (taken) return { kind: 'repeated', claim: taken } as const
        const result = write()
        if (extras?.claim) claims.put(extras.claim, null, at)
        if (result === false || result === undefined) return result
        outbox.append(extras?.outbox ?? [])
        record(extras?.audit ?? [], onRollback)
        return result
      })
    },
  }
}
