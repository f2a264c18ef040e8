import { viewOf } from '../page.ts'
import { PREFERENCES_COLUMNS, preferencesOfRow, type PreferencesRow } from '../prompt-row.ts'
import type { PromptStore } from '../prompts.ts'
import type { Base } from './base.ts'

type PreferenceStore = Pick<PromptStore, 'preferences' | 'putPreferences' | 'forgetPreferences'>

export function preferenceStore({ db, group, parts, record, reading, emptyLog }: Base): PreferenceStore {
  const find = db.prepare(`SELECT ${PREFERENCES_COLUMNS} FROM preferences WHERE tenant = ? AND user_id = ?`)
  const put = db.prepare(
    `INSERT INTO preferences (tenant, user_id, body, version, salt, updated_at) VALUES (?, ?, ?, 1, ?, ?)
     ON CONFLICT (tenant, user_id) DO UPDATE SET body = excluded.body, version = version + 1, salt = excluded.salt,
       updated_at = excluded.updated_at
     RETURNING ${PREFERENCES_COLUMNS}`,
  )
  const remove = db.prepare('DELETE FROM preferences WHERE tenant = ? AND user_id = ?')
  return {
    preferences: (tenant, userId) => reading(() => viewOf(find.get(tenant, userId), preferencesOfRow)),
    putPreferences: ({ tenant, userId, preferences, salt, updatedAt }, records = []) =>
      group.run((onRollback) => {
        const row = put.get(tenant, userId, JSON.stringify(preferences), salt, updatedAt)
        record(records, onRollback)
        return preferencesOfRow(row as unknown as PreferencesRow)
      }),
    async forgetPreferences(tenant, userId, records = []) {
      await group.run((onRollback) => {
        remove.run(tenant, userId)
        parts.eraseOf(tenant, userId)
        record(records, onRollback)
      })
      await emptyLog()
    },
  }
}
