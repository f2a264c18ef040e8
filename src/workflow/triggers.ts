import type { Actor } from '../contract/actor.ts'
import type { Automation, TriggerBody } from '../contract/automation.ts'
import { invalidField } from '../contract/problem.ts'
import { isObject } from '../lib/type-guards.ts'
import type { Automations } from './automations.ts'
import { checkEventType } from './event-types.ts'
import { managed, type Managed } from './managed.ts'
import { triggerInputFault } from './trigger-input.ts'
import { usableWorkflow } from './workflows.ts'

export type Trigger = Automation<'trigger'>

/** Workflows that events start, as their creator. */
export interface Triggers extends Managed<'trigger', TriggerInput> {}

type TriggerInput = Omit<TriggerBody, 'filter'> & Partial<Pick<TriggerBody, 'filter'>>

const FIELDS = ['event', 'filter', 'workflowId'] as const
const MOST_PATHS = 20
const PATH_CHARS = 200
const VALUE_CHARS = 1000

export function createTriggers(automations: Automations): Triggers {
  const { create, change, ...others } = managed<'trigger', TriggerInput>(automations, 'trigger', FIELDS)

  async function check(actor: Actor, wanted: TriggerInput): Promise<TriggerBody> {
    const { event, filter = {}, workflowId } = wanted
    checkEventType('event', event)
    checkFilter(filter)
    const workflow = await usableWorkflow(automations, actor, workflowId)
    const fault = triggerInputFault(workflow.body.input, event)
    if (fault !== undefined) throw invalidField('workflowId', fault)
    return { event, filter, workflowId }
  }

  return {
    ...others,
    create: (actor, wanted, once) => create(actor, wanted, once, async () => ({ body: await check(actor, wanted) })),
    change: (actor, id, changes) =>
      // It runs as its creator, so whoever changes it must be allowed what it does.
      change(actor, id, changes, async ({ body }, fields) =>
        fields ? { body: await check(actor, { ...body, ...fields }) } : {},
      ),
  }
}

function checkFilter(filter: unknown): void {
  if (!isObject(filter)) throw invalidField('filter', 'must be an object such as {"plan": "pro", "user.country": "RW"}')
  const entries = Object.entries(filter)
  if (entries.length > MOST_PATHS) throw invalidField('filter', `may have ${MOST_PATHS} paths`)
  for (const [path, value] of entries) {
    if (path.length > PATH_CHARS || path.split('.').includes(''))
      throw invalidField(
        'filter',
        `has a path that is none: names with full stops between, at most ${PATH_CHARS} characters`,
      )
    const isScalar = value === null || ['string', 'number', 'boolean'].includes(typeof value)
    if (!isScalar || (typeof value === 'string' && value.length > VALUE_CHARS))
      throw invalidField(
        'filter',
        `must compare each path with a text of at most ${VALUE_CHARS} characters, a number, true, false or null`,
      )
  }
}
