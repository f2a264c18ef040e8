import type { DatabaseSync } from 'node:sqlite'
import { filesOf } from '../../contract/event.ts'
import type { Blob, StoredFile } from '../log.ts'
import type { Lineage } from './lineage.ts'
import type { ReadEvents } from './read-events.ts'

/** Bytes stored once under their hash, and the events that name them. */
export function blobsIn(db: DatabaseSync, lineage: Lineage, events: ReadEvents) {
  const insert = db.prepare('INSERT OR IGNORE INTO blobs (hash, bytes) VALUES (?, ?)')
  const insertRef = db.prepare('INSERT OR IGNORE INTO blob_refs (hash, session, seq) VALUES (?, ?, ?)')
  const find = db.prepare('SELECT bytes FROM blobs WHERE hash = ?')
  const refs = db.prepare(
    'SELECT seq FROM blob_refs WHERE hash = ? AND session = ? AND seq BETWEEN ? AND ? ORDER BY seq',
  )

  const ofInput = db.prepare(
    `SELECT DISTINCT part.atom AS hash FROM inputs, json_tree(inputs.body, '$.content') part
     WHERE inputs.id = ? AND part.key IN ('hash', 'blob')`,
  )
  const eraseUnnamed = db.prepare(
    `DELETE FROM blobs WHERE hash = ? AND hash NOT IN (SELECT hash FROM blob_refs) AND hash NOT IN
     (SELECT part.atom FROM inputs, json_tree(inputs.body, '$.content') part WHERE part.key IN ('hash', 'blob'))`,
  )

  const get = (hash: string): Uint8Array | undefined => (find.get(hash) as { bytes: Uint8Array } | undefined)?.bytes

  return {
    get,
    put(blobs: readonly Blob[]): void {
      for (const { hash, bytes } of blobs) insert.run(hash, bytes)
    },
    refer(hash: string, session: number, seq: number): void {
      insertRef.run(hash, session, seq)
    },
    ofInput: (id: string): string[] => (ofInput.all(id) as { hash: string }[]).map(({ hash }) => hash),
    /** Erases those of these blobs that no event and no input names. */
    eraseUnnamed(hashes: readonly string[]): void {
      for (const hash of hashes) eraseUnnamed.run(hash)
    },
    file(sessionId: string, num: number, hash: string): StoredFile | undefined {
      for (const segment of lineage(num, Infinity)) {
        const found = refs.all(hash, segment.num, segment.from, segment.to) as { seq: number }[]
        for (const { seq } of found) {
          const [event] = events(sessionId, num, { after: seq - 1, upTo: seq }).events
          // A result may name the same bytes as its full output, which is not a file.
          const part = event && filesOf(event).find((one) => one.hash === hash)
          const bytes = part && get(hash)
          if (bytes) return { part, bytes }
        }
      }
      return undefined
    },
  }
}
