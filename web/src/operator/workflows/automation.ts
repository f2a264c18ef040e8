import {
  automationsOf,
  type AutomationRoute,
  type AutomationWire,
  type MeView,
  type Workflow,
  type WorkflowRun,
} from '../../../../src/client/index.ts'
import { client } from '../../api/client.ts'
import type { IconName } from '../../parts/icon.tsx'
import { may } from '../../state/may.ts'
import { refresh } from '../../state/polled.ts'
import { hrefWith } from '../filters.ts'

export const api = automationsOf(client)

/** As the routes are called. */
export type Route = AutomationRoute | 'workflows'
export type Shown = AutomationWire[AutomationRoute] | Workflow
type Face = readonly [words: string, icon: IconName, tone: string]

export const MANAGE = 'workflow:manage'

/** What the people are told who manage; others see what they may call, and their own runs. */
export const VIEWS: Readonly<Record<string, string>> = {
  workflows: 'Workflows',
  runs: 'Runs',
  webhooks: 'Webhooks',
  hooks: 'Hooks',
  triggers: 'Triggers',
  schedules: 'Schedules',
}

export const STATUS: Readonly<Record<Shown['status'], Face>> = {
  active: ['active', 'check', 'ok'],
  deprecated: ['deprecated', 'archive', 'warn'],
  disabled: ['disabled', 'pause', 'muted'],
}

export const RUNS: Readonly<Record<WorkflowRun['status'], Face>> = {
  pending: ['waits to be sent', 'clock', 'muted'],
  running: ['waits for its result', 'clock', ''],
  success: ['succeeded', 'check', 'ok'],
  failure: ['failed', 'cross', 'danger'],
  timeout: ['timed out', 'clock', 'danger'],
  unknown: ['unknown', 'warn', 'danger'],
}

export const ORIGINS: Readonly<Record<WorkflowRun['origin'], string>> = {
  call: 'a conversation',
  person: 'a person',
  trigger: 'a trigger',
  schedule: 'a schedule',
  hook: 'a hook',
  webhook: 'an event',
}

export const hrefOfRun = (id: string): string => hrefWith('workflows', { view: 'runs', id })
export const hrefOfWorkflow = (id: string): string => hrefWith('workflows', { id })

/** Where a workflow is. */
export function placeOf({ target }: Workflow): string {
  const { url, connection, workflowType, taskQueue } = target
  return url ?? `${workflowType ?? ''} on ${taskQueue ?? ''} at ${connection ?? ''}`
}

/** The same rule as for the tool that models see. */
export const mayCall = (me: MeView, { name }: Workflow): boolean =>
  may(me, 'tool:invoke') || may(me, `tool:workflow_${name}`)

/** Whatever came of it, what is shown is read again. */
export async function thenRefresh<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } finally {
    refresh('/api/')
  }
}
