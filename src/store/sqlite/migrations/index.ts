import type { DatabaseSync } from 'node:sqlite'
import { Problem } from '../../../contract/problem.ts'
import type { Schema } from '../../upkeep.ts'
import { initial } from './0001-initial.ts'
import { audit } from './0002-audit.ts'
import { accounts } from './0003-accounts.ts'
import { ownersAndAges } from './0004-owners-and-ages.ts'
import { money } from './0005-money.ts'
import { kept } from './0006-kept.ts'
import { roundsByStart } from './0007-rounds-by-start.ts'
import { lastUsed } from './0008-last-used.ts'
import { inputKeys } from './0009-input-keys.ts'
import { ownAliases } from './0010-own-aliases.ts'
import { instructionAuthors } from './0011-instruction-authors.ts'
import { deferredInputs } from './0012-deferred-inputs.ts'
import { operators } from './0013-operators.ts'
import { waitingUntil } from './0014-waiting-until.ts'
import { parkedJobs } from './0015-parked-jobs.ts'
import { snapshots } from './0016-snapshots.ts'
import { shown } from './0017-shown.ts'
import { prompts } from './0018-prompts.ts'
import { secrets } from './0019-secrets.ts'
import { params } from './0020-params.ts'
import { knowledge } from './0021-knowledge.ts'
import { workspaceContext } from './0022-workspace-context.ts'
import { automations } from './0023-automations.ts'

const MIGRATIONS: readonly string[] = [
  initial,
  audit,
  accounts,
  ownersAndAges,
  money,
  kept,
  roundsByStart,
  lastUsed,
  inputKeys,
  ownAliases,
  instructionAuthors,
  deferredInputs,
  operators,
  waitingUntil,
  parkedJobs,
  snapshots,
  shown,
  prompts,
  secrets,
  params,
  knowledge,
  workspaceContext,
  automations,
]

/** Runs all missing migrations in one transaction, so that none can be half done and a new file waits for the disk once. */
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
