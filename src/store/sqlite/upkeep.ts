import { backup, type DatabaseSync } from 'node:sqlite'
import type { Store } from '../store.ts'
import { checkStore } from './check-store.ts'
import { compactIn } from './compact.ts'
import { eventKey } from './event-rows.ts'
import type { groupCommit } from './group-commit.ts'
import { keepPrivate } from './keep-private.ts'
import { purgeIn } from './purge.ts'
import type { SessionRow } from './sessions.ts'
import { asProblem } from './sqlite-problem.ts'

/** Four megabytes: long enough steps to finish soon, short enough for readers between them. */
const PAGES_AT_A_TIME = 1000

/** What is done with the file as a whole. */
export function upkeepIn(
  db: DatabaseSync,
  ownFile: string,
  group: ReturnType<typeof groupCommit>,
  rowOf: (sessionId: string) => SessionRow | undefined,
): Pick<Store, 'ping' | 'purge' | 'backup' | 'compact' | 'check'> {
  const mark = db.prepare('UPDATE pulse SET at = ? WHERE id = 1')
  const purge = purgeIn(db)
  const unpurged = db.prepare(
    `SELECT num FROM sessions s WHERE deleted = 1 AND EXISTS
     (SELECT 1 FROM events WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)})`,
  )

  return {
    async ping(at) {
      await group.run(() => void mark.run(at))
    },
    async purge(sessionId) {
      const row = rowOf(sessionId)
      if (!row || row.deleted === 0) return { events: 0, blobs: 0 }
      const freed = await group.run(() => purge(row.num))
      // The erased pages still stand in the write-ahead log until it is folded into the file and emptied.
      try {
        db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch (error) {
        throw asProblem(error, ownFile)
      }
      return freed
    },
    async backup(file) {
      try {
        // A step of the copy that meets a transaction fails, or starts the copy again and again.
        await group.whileStill(() => backup(db, file, { rate: PAGES_AT_A_TIME }))
        keepPrivate(file)
      } catch (error) {
        throw asProblem(error, file)
      }
    },
    async compact() {
      const left = (unpurged.all() as { num: number }[]).map(({ num }) => num)
      if (left.length > 0) await group.run(() => left.forEach((num) => purge(num)))
      try {
        return await group.whileStill(async () => compactIn(db))
      } catch (error) {
        throw asProblem(error, ownFile)
      }
    },
    check: async () => checkStore(db),
  }
}
