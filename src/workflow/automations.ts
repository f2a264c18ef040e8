import type { Actor } from '../contract/actor.ts'
import { auditRecord, type AuditAction, type AuditRecord } from '../contract/audit.ts'
import type { Automation, AutomationBody, AutomationKind, AutomationStatus } from '../contract/automation.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { need } from '../contract/need.ts'
import { changedMeanwhile, invalidField, Problem } from '../contract/problem.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/id.ts'
import type { Secrets } from '../secret/index.ts'
import {
  automationSecret,
  claimOf,
  earlierResult,
  type AutomationExtras,
  type AutomationQuery,
  type AutomationStore,
  type EncryptedSecret,
  type Page,
} from '../store/index.ts'

/** What all kinds of automations have in common; what each kind may be is checked before. */
export interface Automations {
  create<Kind extends AutomationKind>(
    actor: Actor,
    kind: Kind,
    wanted: NewAutomation<Kind>,
    once?: Once,
  ): Promise<Created<Kind>>
  /** Those of the actor's tenant only. */
  get<Kind extends AutomationKind>(actor: Actor, kind: Kind, id: string): Promise<Automation<Kind>>
  named<Kind extends AutomationKind>(actor: Actor, kind: Kind, name: string): Promise<Automation<Kind>>
  list<Kind extends AutomationKind>(actor: Actor, kind: Kind, query?: ListQuery): Promise<Page<Automation<Kind>>>
  /** Tries again while others change it too, unless `revision` says which one was looked at. */
  change<Kind extends AutomationKind>(
    actor: Actor,
    kind: Kind,
    id: string,
    change: (before: Automation<Kind>) => Changes<Kind> | Promise<Changes<Kind>>,
    options?: ChangeOptions,
  ): Promise<Automation<Kind>>
  remove(actor: Actor, kind: AutomationKind, id: string): Promise<void>
  /** Its secrets by name; no permission is checked. */
  secretsOf(automation: Pick<Automation, 'tenant' | 'kind' | 'id'>): Promise<Texts>
}

/** As whom an automation runs now: its creator, with no more than both now and then; undefined if they are gone. */
export type RunAs = (automation: Pick<Automation, 'tenant' | 'createdBy' | 'permissions'>) => Promise<Actor | undefined>

type Texts = Readonly<Record<string, string>>
export type ListQuery = Pick<AutomationQuery, 'status' | 'limit' | 'cursor'>

export interface NewAutomation<Kind extends AutomationKind> {
  readonly name?: string
  readonly body: AutomationBody[Kind]
  /** the next tick of a schedule */
  readonly dueAt?: number
  readonly secrets?: Texts
}

/** A key that makes the same request once; `wanted` is the request as it came. */
interface Once {
  readonly key: string | undefined
  readonly wanted: object
}

/** `known`: it was made by an earlier request with the same key, and its secret is not shown again. */
interface Created<Kind extends AutomationKind> {
  readonly made: Automation<Kind>
  readonly known: boolean
}

/** What is missing stays as it is, and null takes it away. */
export interface Changes<Kind extends AutomationKind> {
  readonly name?: string
  readonly body?: AutomationBody[Kind]
  readonly status?: AutomationStatus
  readonly reason?: string | null
  readonly dueAt?: number | null
  readonly secrets?: Texts | null
}

interface ChangeOptions {
  readonly revision?: number | undefined
  /** what the record says; `automation_changed` by default */
  readonly action?: AuditAction
}

interface AutomationOptions {
  readonly clock: Clock
  readonly secrets: Pick<Secrets, 'get' | 'put'>
  /** of each kind in a tenant */
  readonly most: number
  /** Called after each change that was made here, before whoever made it hears that it is done. */
  onChanged(): Promise<void>
}

export const MANAGE = 'workflow:manage'
const TRIES = 10

export function createAutomations(store: AutomationStore, options: AutomationOptions): Automations {
  const { clock, secrets, most, onChanged } = options

  /** Gives `store` the encrypted secrets, again while another key has come into force. */
  async function withSecrets<Result>(
    { tenant, kind, id }: Automation,
    texts: Texts | null | undefined,
    put: (extra: Pick<AutomationExtras, 'secret'>) => Promise<Result>,
  ): Promise<Exclude<Result, 'stale'>> {
    let result: Result | undefined
    const attempt = async (extra: Pick<AutomationExtras, 'secret'>): Promise<boolean> =>
      (result = await put(extra)) !== 'stale'
    if (!texts) await attempt(texts === null ? { secret: null } : {})
    else {
      const place = { tenant, name: automationSecret(kind, id) }
      await secrets.put(place, JSON.stringify(texts), (secret: EncryptedSecret) => attempt({ secret }))
    }
    return result as Exclude<Result, 'stale'>
  }

  const record = (action: AuditAction, actor: Actor, { id, kind }: Pick<Automation, 'id' | 'kind'>): AuditRecord =>
    auditRecord(
      action,
      { id: newId(), at: clock.now(), userId: actor.id, tenant: actor.tenant },
      { automationId: id, automation: kind },
    )

  async function get<Kind extends AutomationKind>({ tenant }: Actor, kind: Kind, id: string) {
    const found = await store.automation(tenant, id)
    if (found?.kind !== kind) throw absent(kind, id)
    return found as Automation<Kind>
  }

  return {
    get,
    async named(actor, kind, name) {
      const found = await store.automationNamed(actor.tenant, kind, name)
      if (!found) throw absent(kind, name)
      return found as Automation<typeof kind>
    },
    async list(actor, kind, query = {}) {
      checkLimit(query.limit)
      const page = await store.automations({ ...query, tenant: actor.tenant, kind })
      return page as Page<Automation<typeof kind>>
    },
    async create(actor, kind, { name, body, dueAt, secrets: texts }, once) {
      need(actor, MANAGE)
      const now = clock.now()
      const made = {
        id: newId(),
        tenant: actor.tenant,
        kind,
        ...(name !== undefined && { name }),
        status: 'active',
        createdBy: actor.id,
        permissions: actor.permissions,
        ...(dueAt !== undefined && { dueAt }),
        revision: 1,
        createdAt: now,
        updatedAt: now,
        body,
      } as Automation
      const audit = [record('automation_created', actor, made)]
      const claim = once && claimOf(kind, actor, once.key, once.wanted, { id: made.id })
      const extras = { most, audit, ...(claim && { claim }) }
      const result = await withSecrets(made, texts, (extra) => store.addAutomation(made, { ...extra, ...extras }))
      if (typeof result === 'object') {
        const { id } = earlierResult<{ id: string }>(result.claim, claim)
        return { made: await get(actor, kind, id), known: true }
      }
      if (result === 'many') throw tooMany(kind, most)
      if (result === 'taken') throw taken(kind, name)
      await onChanged()
      return { made: made as Automation<typeof kind>, known: false }
    },
    async change(actor, kind, id, change, { revision, action = 'automation_changed' } = {}) {
      need(actor, MANAGE)
      for (let tries = TRIES; tries > 0; tries--) {
        const before = await get(actor, kind, id)
        if (revision !== undefined && revision !== before.revision) break
        const { secrets: texts, ...changes } = await change(before)
        const fields = { revision: before.revision + 1, updatedAt: clock.now() }
        const changed = { ...changedFields(before, changes), ...fields } as Automation
        const audit = [record(action, actor, changed)]
        const result = await withSecrets(changed, texts, (extra) =>
          store.changeAutomation(changed, { ...extra, was: before, audit }),
        )
        if (result === 'taken') throw taken(kind, changes.name)
        if (result === 'changed') continue
        await onChanged()
        return changed as Automation<typeof kind>
      }
      throw changedMeanwhile(kind)
    },
    async remove(actor, kind, id) {
      need(actor, MANAGE)
      const found = await get(actor, kind, id)
      const audit = [record('automation_removed', actor, found)]
      if (!(await store.removeAutomation(actor.tenant, id, audit))) throw absent(kind, id)
      await onChanged()
    },
    async secretsOf({ tenant, kind, id }) {
      const text = await secrets.get({ tenant, name: automationSecret(kind, id) })
      return JSON.parse(text ?? '{}') as Texts
    },
  }
}

function changedFields<Kind extends AutomationKind>(
  before: Automation<Kind>,
  changes: Omit<Changes<Kind>, 'secrets'>,
): Automation<Kind> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  const kept = Object.entries({ ...before, ...Object.fromEntries(given) }).filter(([, value]) => value !== null)
  return Object.fromEntries(kept) as unknown as Automation<Kind>
}

export const absent = (kind: AutomationKind, id: string): Problem =>
  new Problem('NOT_FOUND', `There is no ${kind} ${id.slice(0, 100)}.`)

const tooMany = (kind: AutomationKind, most: number): Problem =>
  new Problem(
    'CONFLICT',
    // A workflow stays, so that its runs keep their name.
    `There are ${most} ${kind}s already (limit AUTOMATIONS); ${kind === 'workflow' ? 'change one that nobody uses any more' : 'remove one first'}.`,
  )

const taken = (kind: AutomationKind, name = ''): Problem =>
  invalidField('name', `is taken: there is a ${kind} called ${name.slice(0, 100)} already; choose another`)
