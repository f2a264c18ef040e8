import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../contract/problem.ts'

/** Registers what to undo in memory if the transaction fails. */
export type OnRollback = (undo: () => void) => void

/**
 * How long changes are gathered: `loop` until the event loop turns (worth it with an fsync per commit), `tick` for the
 * first change of a turn only until the next tick.
 */
export type Gather = 'loop' | 'tick'

interface Waiting {
  readonly work: (onRollback: OnRollback) => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/**
 * Work that arrives in the same turn of the event loop shares one transaction; if one throws, each is retried alone, so
 * that a bad change cannot fail the others.
 */
export function groupCommit(db: DatabaseSync, gather: Gather, onFailure: (error: unknown) => unknown) {
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const rollback = db.prepare('ROLLBACK')
  let waiting: Waiting[] = []
  let hasFlushed = false
  let closed = false
  let paused: Promise<unknown> | undefined

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

  /** A single change is written at once; further ones in the same turn of the event loop share a transaction. */
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
    if (!paused) write()
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
    /** While `work` runs, changes are written only when it calls `writeNow`, or at its end. */
    async whilePaused<T>(work: (writeNow: () => void) => Promise<T>): Promise<T> {
      const working = Promise.resolve(paused).then(() => work(write))
      const over = working.catch(() => {})
      paused = over
      try {
        return await working
      } finally {
        if (paused === over) {
          paused = undefined
          flush()
        }
      }
    },
    /** Writes what is waiting and accepts nothing more. */
    async close(): Promise<void> {
      closed = true
      await paused
      flush()
    },
  }
}
