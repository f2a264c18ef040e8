import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Store } from '../../../src/store/index.ts'
import { openSqliteStore } from '../../../src/store/sqlite/index.ts'

/** A folder that is gone when the test is over. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'segno-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The path of a database nobody has made yet. */
export const tempFile = (): string => join(tempFolder(), 'segno.db')

/** A store that is closed when the test is over, if not before. */
export function openStore(file: string, durability: 'full' | 'normal' = 'full'): Store {
  const store = openSqliteStore({ file, durability })
  onTestFinished(() => store.close())
  return store
}
