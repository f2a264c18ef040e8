import type { Automation } from '../../contract/automation.ts'
import { Problem } from '../../contract/problem.ts'
import { keyOf } from '../../lib/key-of.ts'
import { oneAtATime } from '../../lib/one-at-a-time.ts'
import {
  AUTOMATION_COLUMNS,
  automationOfRow,
  changedAutomationValues,
  NEW_AUTOMATION_COLUMNS,
  newAutomationValues,
  type AutomationRow,
} from '../automation-row.ts'
import {
  automationSecret,
  isAsItWas,
  type AutomationExtras,
  type AutomationStore,
  type AutomationStored,
} from '../automations.ts'
import type { Repeated } from '../inbox.ts'
import { pageOf, parseCursor, viewOf } from '../page.ts'
import { record, type Base } from './base.ts'
import { noteChange } from './changes.ts'
import { findClaim, putClaim } from './claims.ts'
import type { Query } from './database.ts'
import { codeOf, UNIQUE } from './postgres-problem.ts'
import { isUnderCurrentKey, putSecretIn, removeSecretIn } from './secrets.ts'

const SELECT = `SELECT ${AUTOMATION_COLUMNS} FROM automations`
const INSERT = `INSERT INTO automations (${NEW_AUTOMATION_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const CHANGE = `UPDATE automations SET name = $1, status = $2, due_at = $3, revision = $4, body = $5
  WHERE tenant = $6 AND id = $7 AND kind = $8`
const COUNT = `SELECT count(*) AS n, count(*) FILTER (WHERE name = $3) AS named FROM automations
  WHERE tenant = $1 AND kind = $2`

/** The area that tells other nodes that one is there, gone or another; the tick of a schedule is no such change. */
const AREA = 'automations'

type Added = AutomationStored | 'many' | Repeated

/** Held until the end of the transaction by whoever adds one of a kind to a tenant, because a limit counts them. */
const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'

export function automationStore({ query, transaction }: Base): AutomationStore {
  const inTurn = oneAtATime<Added>()

  async function find(where: string, values: readonly unknown[]): Promise<Automation | undefined> {
    return viewOf((await query<AutomationRow>(`${SELECT} WHERE ${where}`, values))[0], automationOfRow)
  }

  async function list(where: string, values: readonly unknown[]): Promise<Automation[]> {
    return (await query<AutomationRow>(`${SELECT} WHERE ${where}`, values)).map(automationOfRow)
  }

  return {
    addAutomation(added, { most, claim, ...more }) {
      const { tenant, kind, name, createdAt } = added
      const key = keyOf('automations', tenant, kind)
      const add = async (within: Query): Promise<Added> => {
        await within(LOCK, [key])
        const repeated = claim && (await findClaim(within, claim.key))
        if (repeated) return { kind: 'repeated', claim: repeated }
        if (more.secret && !(await isUnderCurrentKey(within, more.secret))) return 'stale'
        const [found] = await within<{ n: number; named: number }>(COUNT, [tenant, kind, name ?? null])
        if (found && found.named > 0) return 'taken'
        if (found && found.n >= most) return 'many'
        await within(INSERT, newAutomationValues(added))
        // Whoever has the same claim adds one of the same kind to the same tenant, and waits for the lock.
        if (claim) await putClaim(within, claim, createdAt)
        await storeExtras(within, added, more)
        return 'stored'
      }
      // Here they wait in turn, so that they hold no connections.
      return inTurn(key, () => orTaken(transaction(add)))
    },
    changeAutomation: (changed, more = {}) =>
      orTaken<AutomationStored | 'changed'>(
        transaction(async (within) => {
          const { id, tenant, kind } = changed
          const [before] = await within<Pick<AutomationRow, 'revision' | 'dueAt'>>(
            'SELECT revision, due_at AS "dueAt" FROM automations WHERE tenant = $1 AND id = $2 AND kind = $3 FOR UPDATE',
            [tenant, id, kind],
          )
          if (!before || !isAsItWas(before, changed, more.was)) return 'changed'
          if (more.secret && !(await isUnderCurrentKey(within, more.secret))) return 'stale'
          await within(CHANGE, [...changedAutomationValues(changed), tenant, id, kind])
          await storeExtras(within, changed, more)
          return 'stored'
        }),
      ),
    removeAutomation: (tenant, id, audit = []) =>
      transaction(async (within) => {
        const [row] = await within<AutomationRow>(
          'DELETE FROM automations WHERE tenant = $1 AND id = $2 RETURNING kind',
          [tenant, id],
        )
        if (!row) return false
        await removeSecretIn(within, tenant, automationSecret(row.kind, id))
        await noteChange(within, AREA)
        await record(within, audit)
        return true
      }),
    automation: (tenant, id) => find('tenant = $1 AND id = $2', [tenant, id]),
    automationNamed: (tenant, kind, name) => find('tenant = $1 AND kind = $2 AND name = $3', [tenant, kind, name]),
    automationsNamed: (kind, name, limit) =>
      list(`kind = $1 AND name = $2 AND status = 'active' ORDER BY num LIMIT $3`, [kind, name, limit]),
    async automations({ tenant, kind, status = null, limit = 50, cursor }) {
      const place = parseCursor(cursor, Number.MAX_SAFE_INTEGER)
      const rows = await query<AutomationRow>(
        `${SELECT} WHERE tenant = $1 AND kind = $2 AND num < $3 AND ($4::text IS NULL OR status = $4)
         ORDER BY num DESC LIMIT $5`,
        [tenant, kind, place, status, limit + 1],
      )
      return pageOf(rows, limit, automationOfRow, ({ num }) => num)
    },
    activeAutomations: (kinds, tenant) =>
      tenant === undefined
        ? list(`status = 'active' AND kind = ANY ($1) ORDER BY num`, [kinds])
        : list(`status = 'active' AND kind = ANY ($1) AND tenant = $2 ORDER BY num`, [kinds, tenant]),
    dueAutomations: (now, limit) =>
      list(`status = 'active' AND due_at <= $1 ORDER BY due_at, num LIMIT $2`, [now, limit]),
  }
}

async function storeExtras(
  within: Query,
  { id, tenant, kind }: Automation,
  { secret, audit = [] }: AutomationExtras,
): Promise<void> {
  if (secret) await putSecretIn(within, secret)
  if (secret === null) await removeSecretIn(within, tenant, automationSecret(kind, id))
  if (kind !== 'schedule') await noteChange(within, AREA)
  await record(within, audit)
}

/** Another node may have taken the name after it was looked for. */
async function orTaken<T>(storing: Promise<T>): Promise<T | 'taken'> {
  try {
    return await storing
  } catch (error) {
    if (error instanceof Problem && isName(error.cause)) return 'taken'
    throw error
  }
}

const isName = (error: unknown): boolean =>
  codeOf(error) === UNIQUE && (error as { constraint?: string }).constraint === 'automations_name'
