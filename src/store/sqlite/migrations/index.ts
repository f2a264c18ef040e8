import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../../contract/problem.ts'
import type { Schema } from '../../upkeep.ts'
import { initial } from './0001-initial.ts'
import { audit } from './0002-audit.ts'
import { accounts } from './0003-accounts.ts'
import { whoseAndHowOld } from './0004-whose-and-how-old.ts'
import { money } from './0005-money.ts'
import { kept } from './0006-kept.ts'
import { roundsInTime } from './0007-rounds-in-time.ts'
import { lastUsed } from './0008-last-used.ts'
import { inputKeys } from './0009-input-keys.ts'
import { ownAliases } from './0010-own-aliases.ts'
import { whoseInstructions } from './0011-whose-instructions.ts'
import { lookedAt } from './0012-looked-at.ts'
import { operators } from './0013-operators.ts'
import { waitingUntil } from './0014-waiting-until.ts'
import { parkedJobs } from './0015-parked-jobs.ts'
import { snapshots } from './0016-snapshots.ts'

const MIGRATIONS: readonly string[] = [
  initial,
  audit,
  accounts,
  whoseAndHowOld,
  money,
  kept,
  roundsInTime,
  lastUsed,
  inputKeys,
  ownAliases,
  whoseInstructions,
  lookedAt,
  operators,
  waitingUntil,
  parkedJobs,
  snapshots,
]

/** All that is missing in one transaction, the number first: a half-done migration cannot be taken for a done one, and a new file waits for the disk once. */
export function migrate(db: DatabaseSync): Schema {
  const found = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  if (found === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get()) {
    throw new Problem(
      'STORE_CORRUPT',
      'This file is the database of another program. Choose another folder with SEGNO_HOME.',
    )
  }
  if (found > MIGRATIONS.length) {
    throw new Problem(
      'STORE_TOO_NEW',
      `The database has version ${found}, this Segno knows versions up to ${MIGRATIONS.length}. ` +
        'Use the newer Segno that wrote it, or restore a backup made before the upgrade.',
    )
  }
  if (found < MIGRATIONS.length) {
    db.exec('BEGIN IMMEDIATE')
    try {
      db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
      for (const statements of MIGRATIONS.slice(found)) db.exec(statements)
      db.exec('COMMIT')
    } catch (error) {
      // A full disk has ended the transaction already.
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
  return { found, now: MIGRATIONS.length }
}
