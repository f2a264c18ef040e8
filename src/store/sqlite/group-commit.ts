import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../contract/problem.ts'

/** Called while a change is written: what to take back in memory if the transaction fails. */
export type OnRollback = (undo: () => void) => void

/**
 * How long changes are gathered. `loop`: until the event loop comes round, worth it where a commit costs an fsync.
 * `tick`: until what runs now has run, for the first of a turn of the loop; so work that never waits starves nobody.
 */
export type Gather = 'loop' | 'tick'

interface Waiting {
  readonly work: (onRollback: OnRollback) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Work that arrives before the event loop comes round again shares one transaction and its fsync. `work` is
 * synchronous, and decides before it writes: it never leaves half a change behind by returning. If one of them throws,
 * all are undone and each is tried again alone, so that a bad change cannot take others with it.
 */
export function groupCommit(db: DatabaseSync, gather: Gather, onFailure: (error: unknown) => unknown) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  let waiting: Waiting[] = []
  /** in this turn of the event loop */
  let hasFlushed = false
  let closed = false
  let still: Promise<unknown> | undefined

  function transact<T>(work: (onRollback: OnRollback) => T): T {
    const undos: (() => void)[] = []
    begin.run()
    try {
      const result = work((undo) => undos.push(undo))
      commit.run()
      return result
    } catch (error) {
      if (db.isTransaction) rollback.run()
      for (const undo of undos.reverse()) undo()
      throw error
    }
  }

  /** Alone, a change is written at once; where many come, those after the first in a turn of the loop share one. */
  function schedule(): void {
    if (gather === 'loop' || hasFlushed) return void setImmediate(flush)
    hasFlushed = true
    setImmediate(() => (hasFlushed = false))
    process.nextTick(flush)
  }

  function alone({ work, resolve, reject }: Waiting): void {
    let result: unknown
    try {
      result = transact(work)
    } catch (error) {
      reject(onFailure(error))
      return
    }
    resolve(result)
  }

  function flush(): void {
    if (!still) write()
  }

  function write(): void {
    if (waiting.length === 0) return
    const group = waiting
    waiting = []
    if (group.length === 1) return alone(group[0] as Waiting)
    let results: unknown[]
    try {
      results = transact((onRollback) => group.map((one) => one.work(onRollback)))
    } catch {
      for (const one of group) alone(one)
      return
    }
    group.forEach((one, i) => one.resolve(results[i]))
  }

  return {
    run<T>(work: (onRollback: OnRollback) => T): Promise<T> {
      if (closed) return Promise.reject(new Problem('SHUTTING_DOWN', 'Segno is closed; open it again to go on.'))
      return new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        if (waiting.length === 1) schedule()
      })
    },
    /**
     * Writes nothing while `work` goes on but when it calls `between`; what comes meanwhile waits for that, or for the end.
     */
    async whileStill<T>(work: (between: () => void) => Promise<T>): Promise<T> {
      const working = Promise.resolve(still).then(() => work(write))
      const over = working.catch(() => {})
      still = over
      try {
        return await working
      } finally {
        if (still === over) {
          still = undefined
          flush()
        }
      }
    },
    /** Writes what is waiting and takes nothing more. */
    async close(): Promise<void> {
      closed = true
      await still
      flush()
    },
  }
}
