import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import type { CheckReport } from '../upkeep.ts'
import { checkStore } from './check-store.ts'

/** What the thread says: how far it is, and at the end what it found. */
export type CheckMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'report'; readonly report: CheckReport }

/** How often it says how far it is. */
const EVERY_MS = 200

let toldAt = -Infinity
const say = (message: CheckMessage): void => parentPort?.postMessage(message, [])

const db = new DatabaseSync(workerData as string)
// Nothing of the content is written anywhere else.
db.exec('PRAGMA locking_mode = EXCLUSIVE')
db.exec('PRAGMA temp_store = MEMORY')
const report = checkStore(db, (done, total) => {
  const now = performance.now()
  if (now - toldAt < EVERY_MS) return
  toldAt = now
  say({ kind: 'progress', done, total })
})
db.close()
say({ kind: 'report', report })
