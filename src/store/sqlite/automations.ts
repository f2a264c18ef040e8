import {
  AUTOMATION_COLUMNS,
  automationOfRow,
  changedAutomationValues,
  NEW_AUTOMATION_COLUMNS,
  newAutomationValues,
  type AutomationRow,
} from '../automation-row.ts'
import { automationSecret, isAsItWas, type AutomationStore } from '../automations.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import type { Base } from './base.ts'
import { secretsIn } from './secrets.ts'

export function automationStore({ db, group, claims, withExtras, record, reading }: Base): AutomationStore {
  const secrets = secretsIn(db)
  const insert = db.prepare(`INSERT INTO automations (${NEW_AUTOMATION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const state = db.prepare(
    'SELECT revision, due_at AS "dueAt" FROM automations WHERE tenant = ? AND id = ? AND kind = ?',
  )
  const change = db.prepare(
    'UPDATE automations SET name = ?, status = ?, due_at = ?, revision = ?, body = ? WHERE tenant = ? AND id = ?',
  )
  const remove = db.prepare('DELETE FROM automations WHERE tenant = ? AND id = ? RETURNING kind')
  const count = db.prepare('SELECT count(*) AS n FROM automations WHERE tenant = ? AND kind = ?')
  const one = db.prepare(`SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE tenant = ? AND id = ?`)
  const named = db.prepare(`SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE tenant = ? AND kind = ? AND name = ?`)
  const allNamed = db.prepare(
    `SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE kind = ? AND name = ? AND status = 'active' ORDER BY num LIMIT ?`,
  )
  const newest = db.prepare(
    `SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE tenant = ? AND kind = ? AND num < ? AND (? IS NULL OR status = ?)
     ORDER BY num DESC LIMIT ?`,
  )
  const active = db.prepare(
    `SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE status = 'active'
     AND kind IN (SELECT value FROM json_each(?)) ORDER BY num`,
  )
  const activeOf = db.prepare(
    `SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE status = 'active'
     AND kind IN (SELECT value FROM json_each(?)) AND tenant = ? ORDER BY num`,
  )
  const due = db.prepare(
    `SELECT ${AUTOMATION_COLUMNS} FROM automations WHERE status = 'active' AND due_at <= ? ORDER BY due_at, num LIMIT ?`,
  )

  const views = (rows: unknown) => (rows as AutomationRow[]).map(automationOfRow)

  function isTaken(tenant: string, kind: string, name: string | undefined, id: string): boolean {
    const found = name === undefined ? undefined : (named.get(tenant, kind, name) as { id: string } | undefined)
    return found !== undefined && found.id !== id
  }

  return {
    // All is looked at before anything is written, because a refusal undoes nothing.
    addAutomation: (added, { most, secret, claim, audit = [] }) =>
      group.run((onRollback) => {
        const { id, tenant, kind, name, createdAt } = added
        const taken = claim && claims.find(claim.key)
        if (taken) return { kind: 'repeated', claim: taken }
        if (secret && !secrets.isUnderCurrentKey(secret)) return 'stale'
        if (isTaken(tenant, kind, name, id)) return 'taken'
        if ((count.get(tenant, kind) as { n: number }).n >= most) return 'many'
        insert.run(...newAutomationValues(added))
        if (secret) secrets.put(secret)
        if (claim) claims.put(claim, null, createdAt)
        record(audit, onRollback)
        return 'stored'
      }),
    changeAutomation: (changed, { secret, was, audit = [] } = {}) =>
      group.run((onRollback) => {
        const { id, tenant, kind, name } = changed
        const before = state.get(tenant, id, kind) as Pick<AutomationRow, 'revision' | 'dueAt'> | undefined
        if (!before || !isAsItWas(before, changed, was)) return 'changed'
        if (secret && !secrets.isUnderCurrentKey(secret)) return 'stale'
        if (isTaken(tenant, kind, name, id)) return 'taken'
        change.run(...changedAutomationValues(changed), tenant, id)
        if (secret) secrets.put(secret)
        if (secret === null) secrets.remove(tenant, automationSecret(kind, id))
        record(audit, onRollback)
        return 'stored'
      }),
    removeAutomation: async (tenant, id, audit = []) =>
      (await withExtras({ audit }, 0, () => {
        const removed = remove.get(tenant, id) as Pick<AutomationRow, 'kind'> | undefined
        if (removed) secrets.remove(tenant, automationSecret(removed.kind, id))
        return removed !== undefined
      })) === true,
    automation: (tenant, id) => reading(() => viewOf(one.get(tenant, id), automationOfRow)),
    automationNamed: (tenant, kind, name) => reading(() => viewOf(named.get(tenant, kind, name), automationOfRow)),
    automationsNamed: (kind, name, limit) => reading(() => views(allNamed.all(kind, name, limit))),
    automations: ({ tenant, kind, status = null, limit = 50, cursor }) =>
      reading(() => {
        const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
        const rows = newest.all(tenant, kind, place, status, status, limit + 1) as unknown as AutomationRow[]
        return pageOf(rows, limit, automationOfRow, ({ num }) => num)
      }),
    activeAutomations: (kinds, tenant) =>
      reading(() =>
        views(tenant === undefined ? active.all(JSON.stringify(kinds)) : activeOf.all(JSON.stringify(kinds), tenant)),
      ),
    dueAutomations: (now, limit) => reading(() => views(due.all(now, limit))),
  }
}
