import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Segno } from '../../../src/segno.ts'
import { tablesOf } from '../../support/postgres/with-client.ts'
import { storeSettings } from '../../support/store-under-test.ts'

/** The audit log, and what Segno writes by itself while nobody asks for anything. */
const ITS_OWN = new Set(['audit', 'audit_head', 'pulse', 'nodes', 'sweeps'])

/** What is in each table of the database that Segno has open there, as text. */
export async function tablesIn(segno: Segno, home: string): Promise<Record<string, string>> {
  const { SEGNO_DATABASE_URL: url } = await storeSettings(home)
  const tables = url === undefined ? await ofCopy(segno, home) : await tablesOf(url)
  const kept = Object.entries(tables).filter(([name]) => !ITS_OWN.has(name))
  return Object.fromEntries(kept.map(([name, rows]) => [name, textOf(rows)]))
}

async function ofCopy(segno: Segno, home: string): Promise<Record<string, object[]>> {
  const file = join(home, `copy-${randomUUID()}.db`)
  await segno.backup(file)
  const db = new DatabaseSync(file)
  try {
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[]
    return Object.fromEntries(names.map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]))
  } finally {
    db.close()
    rmSync(file)
  }
}

/** In an order that does not depend on where the rows lie. */
const textOf = (rows: readonly object[]): string =>
  rows
    .map((row) => JSON.stringify(row, bytesAsText))
    .sort()
    .join('\n')

const bytesAsText = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
