import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/index.ts'

test('leaves the database of another program alone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'segno-foreign-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'segno.db')
  const other = new DatabaseSync(file)
  other.exec('CREATE TABLE theirs (a)')
  other.close()
  expect(() => openSqliteStore({ file, durability: 'full' })).toThrow(
    expect.objectContaining({ code: 'STORE_CORRUPT' }),
  )
  const tables = new DatabaseSync(file).prepare('SELECT name FROM sqlite_schema').all()
  expect(tables.map((row) => row['name'])).toEqual(['theirs'])
})
