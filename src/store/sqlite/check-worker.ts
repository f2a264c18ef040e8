import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckReport } from '../upkeep.ts'
import { checkStore } from './check-store.ts'

export type CheckMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'report'; readonly report: CheckReport }

const EVERY_MS = 200

let reportedAt = -Infinity
const post = (message: CheckMessage): void => parentPort?.postMessage(message, [])

const db = new DatabaseSync(workerData as string)
// No temporary file may hold content.
db.exec('PRAGMA locking_mode = EXCLUSIVE')
db.exec('PRAGMA temp_store = MEMORY')
const report = checkStore(db, (done, total) => {
  const now = performance.now()
  if (now - reportedAt < EVERY_MS) return
  reportedAt = now
  post({ kind: 'progress', done, total })
})
db.close()
post({ kind: 'report', report })
