import type { Actor } from '../contract/actor.ts'
import type { Automation, AutomationKind } from '../contract/automation.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import type { Page } from '../store/index.ts'
import { MANAGE, type Automations, type Changes, type ListQuery, type NewAutomation } from './automations.ts'
import type { MadeSecret } from './signing-secrets.ts'
import { statusAction, statusChange, type StatusWanted } from './status-change.ts'

/** What may be changed of one; what is left out stays. */
type AutomationChanges<Input> = Partial<Input> & StatusWanted & { readonly revision?: number }

/** Automations of a kind. All of it needs `workflow:manage`. */
export interface Managed<Kind extends AutomationKind, Input, Made = Automation<Kind>> {
  create(actor: Actor, wanted: Input, once?: string): Promise<Made>
  get(actor: Actor, id: string): Promise<Automation<Kind>>
  list(actor: Actor, query?: ListQuery): Promise<Page<Automation<Kind>>>
  change(actor: Actor, id: string, changes: AutomationChanges<Input>): Promise<Automation<Kind>>
  remove(actor: Actor, id: string): Promise<void>
}

/** What all have in common that only managers see: everything but workflows. `own`: the fields that people give one. */
export const managed = <Kind extends Exclude<AutomationKind, 'workflow'>, Input extends object>(
  automations: Automations,
  kind: Kind,
  own: readonly (string & keyof Input)[],
) => ({
  async get(actor: Actor, id: string): Promise<Automation<Kind>> {
    need(actor, MANAGE)
    return automations.get(actor, kind, id)
  },
  async list(actor: Actor, query?: ListQuery): Promise<Page<Automation<Kind>>> {
    need(actor, MANAGE)
    return automations.list(actor, kind, query)
  },
  /** `make`: what it is; its secret, if it has one, is in this answer only. */
  async create(
    actor: Actor,
    wanted: Input,
    once: string | undefined,
    make: () => Promise<NewAutomation<Kind>>,
  ): Promise<Automation<Kind> & MadeSecret> {
    need(actor, MANAGE)
    refuseUnknownFields(wanted, own, `A ${kind}`)
    const given = await make()
    const { made, known } = await automations.create(actor, kind, given, { key: once, wanted })
    const secret = given.secrets?.['signing']
    return known || secret === undefined ? made : { ...made, secret }
  },
  /** `to`: what it becomes besides its status; without fields if none of its own is given. */
  async change(
    actor: Actor,
    id: string,
    changes: AutomationChanges<Input>,
    to: (before: Automation<Kind>, fields: Partial<Input> | undefined) => Promise<Changes<Kind>>,
  ): Promise<Automation<Kind>> {
    need(actor, MANAGE)
    refuseUnknownFields(changes, [...own, 'status', 'reason', 'revision'], `A ${kind}`)
    const { status, reason, revision, ...rest } = changes
    const set = statusChange({ status, reason })
    const fields = Object.keys(rest).length > 0 ? (rest as Partial<Input>) : undefined
    return automations.change(actor, kind, id, async (before) => ({ ...set, ...(await to(before, fields)) }), {
      revision,
      action: statusAction({ status }),
    })
  },
  remove: (actor: Actor, id: string): Promise<void> => automations.remove(actor, kind, id),
})
