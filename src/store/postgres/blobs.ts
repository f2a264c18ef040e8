import { filesOf } from '../../contract/event.ts'
import type { Blob, StoredFile } from '../log.ts'
import type { Query } from './database.ts'
import { MAX_SEQ, type ReadEvents } from './read-events.ts'

/** Limits the size of a row. */
export const PART_BYTES = 1024 * 1024

/**
 * Stores bytes in the transaction of what names them; existing rows are locked too, so that they are not erased
 * meanwhile.
 */
export async function putBlobs(query: Query, blobs: readonly Blob[]): Promise<void> {
  const sorted = blobs.toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
  for (const { hash, bytes } of sorted) {
    const [row] = await query<{ is_new: boolean }>(
      `INSERT INTO blobs (hash, size) VALUES ($1, $2)
       ON CONFLICT (hash) DO UPDATE SET size = excluded.size RETURNING xmax = 0 AS is_new`,
      [hash, bytes.length],
    )
    if (!row?.is_new) continue
    for (let at = 0, n = 0; at < bytes.length; at += PART_BYTES, n++) {
      const part = bytes.subarray(at, at + PART_BYTES)
      await query('INSERT INTO blob_parts (hash, n, bytes) VALUES ($1, $2, $3)', [hash, n, part])
    }
  }
}

/** An empty blob has no parts. */
const GET = `
  SELECT b.size, p.bytes FROM blobs b LEFT JOIN blob_parts p ON p.hash = b.hash WHERE b.hash = $1 ORDER BY p.n`

const REFS = `
  SELECT r.seq FROM lineage($1, $2) l
  JOIN blob_refs r ON r.session_id = l.id AND r.hash = $3 AND r.seq BETWEEN l.first AND l.last ORDER BY r.seq`

export function blobsIn(query: Query, events: ReadEvents) {
  async function get(hash: string): Promise<Uint8Array | undefined> {
    const parts = await query<{ size: number; bytes: Uint8Array | null }>(GET, [hash])
    if (!parts[0]) return undefined
    const whole = new Uint8Array(parts[0].size)
    let at = 0
    for (const { bytes } of parts) {
      if (bytes === null) continue
      whole.set(bytes, at)
      at += bytes.length
    }
    return whole
  }

  return {
    get,
    async file(sessionId: string, hash: string): Promise<StoredFile | undefined> {
      for (const { seq } of await query<{ seq: number }>(REFS, [sessionId, MAX_SEQ, hash])) {
        const [event] = (await events(sessionId, { after: seq - 1, upTo: seq })).events
        // A result may name the same bytes as its full output, which is not a file.
        const part = event && filesOf(event).find((one) => one.hash === hash)
        const bytes = part && (await get(hash))
        if (bytes) return { part, bytes }
      }
      return undefined
    },
  }
}
