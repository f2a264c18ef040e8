import { viewOf } from '../page.ts'
import { PREFERENCES_COLUMNS, preferencesOfRow, type PreferencesRow } from '../prompt-row.ts'
import type { PromptStore } from '../prompts.ts'
import { record, type Base } from './base.ts'
import { erasePartsOf } from './parts.ts'

type PreferenceStore = Pick<PromptStore, 'preferences' | 'putPreferences' | 'forgetPreferences'>

const PUT = `INSERT INTO preferences AS p (tenant, user_id, body, version, salt, updated_at)
  VALUES ($1, $2, $3, 1, $4, $5)
  ON CONFLICT (tenant, user_id) DO UPDATE SET body = excluded.body, version = p.version + 1, salt = excluded.salt,
    updated_at = greatest(p.updated_at, excluded.updated_at)
  RETURNING ${PREFERENCES_COLUMNS}`

export function preferenceStore({ query, transaction }: Base): PreferenceStore {
  return {
    async preferences(tenant, userId) {
      const [row] = await query<PreferencesRow>(
        `SELECT ${PREFERENCES_COLUMNS} FROM preferences WHERE tenant = $1 AND user_id = $2`,
        [tenant, userId],
      )
      return viewOf(row, preferencesOfRow)
    },
    putPreferences: ({ tenant, userId, preferences, salt, updatedAt }, records = []) =>
      transaction(async (within) => {
        const values = [tenant, userId, JSON.stringify(preferences), salt, updatedAt]
        const [row] = await within<PreferencesRow>(PUT, values)
        if (!row) throw new Error('preferences were not stored')
        await record(within, records)
        return preferencesOfRow(row)
      }),
    forgetPreferences: (tenant, userId, records = []) =>
      transaction(async (within) => {
        await within('DELETE FROM preferences WHERE tenant = $1 AND user_id = $2', [tenant, userId])
        await erasePartsOf(within, tenant, userId)
        await record(within, records)
      }),
  }
}
