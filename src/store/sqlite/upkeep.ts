import { Problem } from '../../contract/problem.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import type { CheckReport, Compacted, CompactOptions, UpkeepOptions, UpkeepStore } from '../upkeep.ts'
import type { Base } from './base.ts'
import { checkCopy } from './check-copy.ts'
import { checkStore } from './check-store.ts'
import { eventKey } from './event-rows.ts'
import { keepPrivate } from './keep-private.ts'
import type { KnowledgeUpkeep } from './knowledge.ts'
import { canFreePages, checkpoint, freePages, hasCurrentLayout, rewrite, sizeOf } from './layout.ts'
import { copyTo, eraseCopy, isThere, leaveOutSnapshots, makePrivateFile } from './private-copy.ts'
import { purgeIn } from './purge.ts'
import { asProblem } from './sqlite-problem.ts'

/** A smaller file is checked in place, which is faster than copying it. */
const SMALL_BYTES = 1_000_000

export function upkeepStore(
  { db, file: ownFile, schema, group, rowOf }: Base,
  knowledge: KnowledgeUpkeep,
): UpkeepStore {
  const mark = db.prepare('UPDATE pulse SET at = ? WHERE id = 1')
  const purge = purgeIn(db)
  const unpurged = db.prepare(
    `SELECT num FROM sessions s WHERE deleted = 1 AND EXISTS
     (SELECT 1 FROM events WHERE key >= s.num * ${eventKey(1, 0)} AND key < (s.num + 1) * ${eventKey(1, 0)})`,
  )
  const closing = new AbortController()
  const inTurn = oneAtATime<unknown>()
  const copy = `${ownFile}.check`
  /** A process that died during a check left its copy, which can be erased because the file is locked by now. */
  let erasing = ownFile !== ':memory:' && isThere(copy) ? eraseCopy(copy).catch(() => {}) : Promise.resolve()

  /** One after the other, so that no copy is made while the file is compacted. */
  async function alone<T>(work: () => Promise<T>, file = ownFile): Promise<T> {
    try {
      return (await inTurn('', work)) as T
    } catch (error) {
      throw asProblem(error, file)
    }
  }

  const until = (signal: AbortSignal | undefined): AbortSignal =>
    signal ? AbortSignal.any([signal, closing.signal]) : closing.signal

  async function checkAside({ signal, onProgress }: UpkeepOptions): Promise<CheckReport> {
    const ends = until(signal)
    const erase = (): Promise<void> => (erasing = eraseCopy(copy))
    await erasing
    await erase()
    try {
      makePrivateFile(copy)
      const report = (doing: 'copying' | 'checking') => (done: number, total: number) =>
        onProgress?.({ doing, done, total })
      await copyTo(db, group, copy, { signal: ends, onProgress: report('copying') })
      return await checkCopy(copy, { signal: ends, onProgress: report('checking') }, erase)
    } finally {
      await erase()
    }
  }

  async function compact({ rewriteUpTo = 0, ...options }: CompactOptions): Promise<Compacted> {
    const left = (unpurged.all() as { num: number }[]).map(({ num }) => num)
    for (const num of left) await group.run(() => purge(num))
    await knowledge.compact(until(options.signal))
    const before = sizeOf(db)
    if (before <= rewriteUpTo && !hasCurrentLayout(db)) await group.whilePaused(async () => rewrite(db))
    else if (canFreePages(db)) await freePages(db, { ...options, signal: until(options.signal) })
    checkpoint(db)
    const after = sizeOf(db)
    return { before, after, freed: before - after, needsRewrite: !canFreePages(db) }
  }

  return {
    schema,
    async ping(at) {
      await group.run(() => void mark.run(at))
    },
    async purge(sessionId) {
      const row = rowOf(sessionId)
      if (!row || row.deleted === 0) return { events: 0, blobs: 0 }
      const freed = await group.run(() => purge(row.num))
      // Erased pages stay in the write-ahead log until a checkpoint.
      try {
        checkpoint(db)
      } catch (error) {
        throw asProblem(error, ownFile)
      }
      return freed
    },
    backup: (file) =>
      alone(async () => {
        await copyTo(db, group, file)
        keepPrivate(file)
        await leaveOutSnapshots(file)
      }, file),
    compact: (options = {}) => alone(() => compact(options)),
    needsRewrite: () => !hasCurrentLayout(db),
    check: (options = {}) =>
      alone(async () => (ownFile === ':memory:' || sizeOf(db) < SMALL_BYTES ? checkStore(db) : checkAside(options))),
    async close() {
      closing.abort(new Problem('SHUTTING_DOWN', 'Segno stops; ask again when it runs.'))
      await inTurn('', () => erasing).catch(() => {})
      await knowledge.close()
      await group.close()
      if (db.isOpen) db.close()
    },
  }
}
