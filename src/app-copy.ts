import { existsSync } from 'node:fs'
import { readConfig, roomsOf, storeName, type Settings } from './config/index.ts'
import { Problem } from './contract/problem.ts'
import type { CopyProgress, CopyReport, Store } from './store/index.ts'
import { openSqliteStore, sqliteSource } from './store/sqlite/index.ts'

export interface CopiedDatabase extends CopyReport {
  readonly from: string
  /** without a password */
  readonly to: string
}

/** Copies the SQLite file of this configuration into its PostgreSQL database; the file stays as it is. */
export async function copyDatabase(
  env: Settings,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedDatabase> {
  const config = readConfig(env)
  const { store: settings, postgres } = roomsOf(config)
  const { url } = postgres
  if (url === undefined) {
    throw new Problem(
      'CONFIG_ERROR',
      'SEGNO_DATABASE_URL says where to copy to; expected an empty PostgreSQL database, such as postgres://user:password@host:5432/segno.',
    )
  }
  if (!existsSync(settings.file)) {
    throw new Problem(
      'NOT_FOUND',
      `There is no database to copy: ${settings.file} is not there. Name its folder with SEGNO_HOME.`,
    )
  }
  // A damaged source would make a damaged copy.
  await checkAndClose(
    openSqliteStore(settings),
    (finding) =>
      `${settings.file} is damaged (${finding}), so it was not copied. segno db check says more; restore a backup.`,
  )
  const { copyInto, openPostgres } = await import('./store/postgres/index.ts')
  const to = storeName(config)
  const source = sqliteSource(settings)
  let report: CopyReport
  try {
    report = await copyInto(source, { ...postgres, url, onProgress })
  } finally {
    source.close()
  }
  const { store } = await openPostgres({ ...postgres, url, node: { id: () => 'copy' } })
  await checkAndClose(store, (finding) => `${to} has everything, but not all of it fits: ${finding}.`)
  return { from: settings.file, to, ...report }
}

async function checkAndClose(store: Store, message: (finding: string | undefined) => string): Promise<void> {
  try {
    const { ok, findings } = await store.check()
    if (!ok) throw new Problem('STORE_CORRUPT', message(findings[0]))
  } finally {
    await store.close()
  }
}
