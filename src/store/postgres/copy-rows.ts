import type { InputBody } from '../../contract/input.ts'
import { foldCase } from '../../lib/fold-case.ts'
import { cleanText } from '../clean-text.ts'
import { COPIED, type CopiedRow, type CopiedTable } from '../copied.ts'
import { hashesIn } from '../hashes-of.ts'
import { KNOWN_SINCE } from '../required-version.ts'
import { vectorOfBytes } from '../vector-bytes.ts'
import { PART_BYTES } from './blobs.ts'
import { inputColumns } from './input-columns.ts'

/** Rows of one table, with the columns that identify one. */
export interface SentRows {
  readonly table: string
  readonly key: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

const NEEDS = Math.max(0, ...Object.values(KNOWN_SINCE))

/** Rows in the shape of the tables here; blobs are split into parts. */
export function* sentRows(table: CopiedTable, rows: readonly CopiedRow[]): Generator<SentRows> {
  if (table === 'blobs') yield* sentBlobs(rows)
  else yield { table, key: COPIED[table], rows: rows.map((row) => cleaned(rowOf(table, row))) }
}

function rowOf(table: Exclude<CopiedTable, 'blobs'>, row: CopiedRow): object {
  switch (table) {
    case 'sessions':
      return { ...row, folded: foldCase(String(row['title'])) }
    case 'heads':
      return { ...row, deleted: row['deleted'] === 1, needs: NEEDS }
    case 'events':
      return { ...row, commit_id: 'copied' }
    case 'inputs': {
      const body = JSON.parse(String(row['body'])) as InputBody
      return { ...row, ...inputColumns(body), files: hashesIn(body) }
    }
    case 'audit':
      return { ...row, id: row['seq'] }
    case 'chunk_vectors':
      return { ...row, vector: [...vectorOfBytes(bytesOf(row['vector']))] }
    case 'memories':
      return { ...row, vector: row['vector'] && hexOf(bytesOf(row['vector'])) }
    default:
      return row
  }
}

function* sentBlobs(rows: readonly CopiedRow[]): Generator<SentRows> {
  const sized = rows.map(({ hash, bytes }) => ({ hash, size: bytesOf(bytes).length }))
  yield { table: 'blobs', key: COPIED.blobs, rows: sized }
  for (const { hash, bytes } of rows) {
    const all = bytesOf(bytes)
    for (let n = 0; n * PART_BYTES < all.length; n++) {
      const part = hexOf(all.subarray(n * PART_BYTES, (n + 1) * PART_BYTES))
      yield { table: 'blob_parts', key: ['hash', 'n'], rows: [{ hash, n, bytes: part }] }
    }
  }
}

function bytesOf(value: CopiedRow[string] | undefined): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : Buffer.alloc(0)
}

/** As the server reads bytes in JSON. */
const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`

/** Rows of earlier versions may contain characters that no text column here can hold. */
function cleaned(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? cleanText(value) : value,
    ]),
  )
}
