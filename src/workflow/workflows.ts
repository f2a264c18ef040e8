import { may, mayUseTool, type Actor } from '../contract/actor.ts'
import type { Automation, AutomationStatus, EngineName, Target, WorkflowBody } from '../contract/automation.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import type { Tool } from '../contract/tool.ts'
import type { Egress } from '../egress/index.ts'
import type { AutomationStore, Page } from '../store/index.ts'
import { absent, MANAGE, type Automations, type ListQuery } from './automations.ts'
import type { WorkflowCalls } from './call-workflow.ts'
import { checkAddress } from './check-address.ts'
import { checkBody, checkWorkflowName, engineNamed, type ReadOptions } from './read-workflow.ts'
import { newSigningSecret, renewSecret, type MadeSecret } from './signing-secrets.ts'
import { statusAction, statusChange, type StatusWanted } from './status-change.ts'

export type Workflow = Automation<'workflow'>

/** A workflow as it is registered; what is secret in `target` is stored encrypted. */
export interface WorkflowInput extends Omit<WorkflowBody, 'target' | 'costPerInvocation' | 'effect'> {
  /** letters, digits and `_`; models see it as `workflow_<name>` */
  readonly name: string
  readonly engine: EngineName
  readonly target: unknown
  /** default `unsafe` */
  readonly effect?: WorkflowBody['effect']
  /** micro-dollars for each invocation */
  readonly cost?: number
}

/** What a workflow need not have; `null` takes it away. */
type Optional = 'output' | 'cost' | 'quota' | 'approval' | 'retry' | 'timeoutMs' | 'waitMs'

type WorkflowChanges = Partial<Omit<WorkflowInput, Optional>> & {
  readonly [Name in Optional]?: WorkflowInput[Name] | null
} & {
  readonly status?: Exclude<AutomationStatus, 'disabled'>
  /** the one that was looked at; another one is a conflict */
  readonly revision?: number
}

/** The workflows of a tenant. Who may call one sees it; changing one needs `workflow:manage`. */
export interface Workflows {
  create(actor: Actor, wanted: WorkflowInput, once?: string): Promise<Workflow & MadeSecret>
  get(actor: Actor, id: string): Promise<Workflow>
  /** Newest first. */
  list(actor: Actor, query?: ListQuery): Promise<Page<Workflow>>
  change(actor: Actor, id: string, changes: WorkflowChanges): Promise<Workflow>
  /** What runs goes on. */
  disable(actor: Actor, id: string, reason: string): Promise<Workflow>
  enable(actor: Actor, id: string): Promise<Workflow>
  /** The one before stays good until the next. */
  renewSecret(actor: Actor, id: string): Promise<Workflow & MadeSecret>
  /** Those that models are offered in a tenant; the same array while nothing changed. */
  toolsOf(tenant: string): Promise<readonly Tool[]>
  /** Why models are not offered a workflow that there is. */
  whyMissing(tenant: string, tool: string): Promise<string | undefined>
}

/** The name of a workflow's tool, which is also the permission to use it. */
const PREFIX = 'workflow_'
export const workflowTool = (name: string): string => `${PREFIX}${name}`

/** For whoever would start it. */
export const disabledText = ({ name = '', reason = '' }: Workflow): string =>
  `The workflow ${name} is disabled: ${reason.replace(/\.$/, '')}.`

/** Who manages workflows, or uses this one. */
const maySee = (actor: Actor, { name = '' }: Workflow): boolean =>
  may(actor, MANAGE) || mayUseTool(actor.permissions, workflowTool(name))

export async function visibleWorkflow(
  automations: Pick<Automations, 'get'>,
  actor: Actor,
  id: string,
): Promise<Workflow> {
  const workflow = await automations.get(actor, 'workflow', id)
  if (maySee(actor, workflow)) return workflow
  throw absent('workflow', id)
}

/** One that may be started as this actor. */
export async function usableWorkflow(
  automations: Pick<Automations, 'get'>,
  actor: Actor,
  id: unknown,
): Promise<Workflow> {
  if (typeof id !== 'string') throw invalidField('workflowId', 'must be the id of a workflow')
  const workflow = await automations.get(actor, 'workflow', id)
  if (mayUseTool(actor.permissions, workflowTool(workflow.name ?? ''))) return workflow
  throw new Problem('PERMISSION_DENIED', 'You may not use this workflow, so nothing can start it as you.')
}

interface WorkflowOptions extends ReadOptions {
  readonly egress: Pick<Egress, 'check'>
  readonly calls: WorkflowCalls
  /** Calls back when automations were changed by any process. */
  onChange(listener: () => void): void
}

const FIELDS = 'name description engine target input output effect cost quota approval retry timeoutMs waitMs'.split(
  ' ',
)
const CHANGES = [...FIELDS, 'status', 'revision']

export function createWorkflows(
  store: Pick<AutomationStore, 'activeAutomations' | 'automationNamed'>,
  automations: Automations,
  options: WorkflowOptions,
): Workflows {
  const { engines, calls, egress } = options
  const tools = new Map<string, Promise<readonly Tool[]>>()
  options.onChange(() => tools.clear())

  async function readTools(tenant: string): Promise<readonly Tool[]> {
    const active = (await store.activeAutomations(['workflow'], tenant)) as readonly Workflow[]
    return active.map((workflow) => toolOf(workflow, calls))
  }

  async function checkTarget(target: Target): Promise<void> {
    if (target.engine === 'temporal') return
    await checkAddress(egress, 'target.url', target.url)
    if (target.engine === 'n8n' && target.apiUrl !== undefined)
      await checkAddress(egress, 'target.api.url', target.apiUrl)
  }

  /** What a change makes of it, and the secret it needs if it has none. */
  async function changed(
    before: Workflow,
    { name, target, cost, engine: other, ...fields }: Omit<WorkflowChanges, 'status' | 'revision'>,
  ) {
    const kept = { target: before.body.target, secrets: await automations.secretsOf(before) }
    const engine = engineNamed(engines, kept.target.engine)
    if (other !== undefined && other !== engine.name)
      throw invalidField('engine', `stays ${engine.name}; register another workflow instead`)
    if (name !== undefined) checkWorkflowName(name)
    const { target: at, secrets } = target === undefined ? kept : engine.readTarget(target, kept)
    const all = { ...before.body, ...fields, target: at, ...(cost !== undefined && { costPerInvocation: cost }) }
    const body = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== null),
    ) as unknown as WorkflowBody
    await checkBody(body, engine, options)
    if (target !== undefined) await checkTarget(at)
    return { body, ...(name !== undefined && { name }), ...(target !== undefined && { secrets }) }
  }

  return {
    get: (actor, id) => visibleWorkflow(automations, actor, id),
    async create(actor, wanted, once) {
      need(actor, MANAGE)
      refuseUnknownFields(wanted, FIELDS, 'A workflow')
      const { name, engine: engineName, target: given, cost, effect = 'unsafe', ...fields } = wanted
      checkWorkflowName(name)
      const engine = engineNamed(engines, engineName)
      const { target, secrets } = engine.readTarget(given)
      const body = { ...fields, target, effect, ...(cost !== undefined && { costPerInvocation: cost }) }
      await checkBody(body, engine, options)
      await checkTarget(target)
      const signing = engine.signs && { signing: newSigningSecret() }
      const all = { ...secrets, ...(signing || undefined) }
      const made = { name, body, ...(Object.keys(all).length > 0 && { secrets: all }) }
      const { made: workflow, known } = await automations.create(actor, 'workflow', made, { key: once, wanted })
      return known || !signing ? workflow : { ...workflow, secret: signing.signing }
    },
    async list(actor, query) {
      const { items, next } = await automations.list(actor, 'workflow', query)
      return { items: items.filter((workflow) => maySee(actor, workflow)), next }
    },
    async change(actor, id, changes) {
      need(actor, MANAGE)
      refuseUnknownFields(changes, CHANGES, 'A workflow')
      const { status, revision, ...fields } = changes
      if (status !== undefined && !['active', 'deprecated'].includes(status))
        throw invalidField('status', 'must be active or deprecated; disabling one needs a reason')
      const does = status === undefined ? {} : ({ status, reason: null } as const)
      return automations.change(
        actor,
        'workflow',
        id,
        async (before) => ({ ...does, ...(Object.keys(fields).length > 0 && (await changed(before, fields))) }),
        { revision },
      )
    },
    async disable(actor, id, reason: string | undefined) {
      need(actor, MANAGE)
      if (reason === undefined) throw invalidField('reason', 'is needed, for whoever would start it')
      return setStatus(actor, id, { status: 'disabled', reason })
    },
    enable: (actor, id) => setStatus(actor, id, { status: 'active' }),
    async renewSecret(actor, id) {
      need(actor, MANAGE)
      const { body } = await automations.get(actor, 'workflow', id)
      if (!engineNamed(engines, body.target.engine).signs)
        throw new Problem('CONFLICT', `What is sent to ${body.target.engine} is not signed, so there is no secret.`)
      return renewSecret(automations, actor, 'workflow', id)
    },
    toolsOf(tenant) {
      const known = tools.get(tenant)
      if (known) return known
      const reading = readTools(tenant)
      tools.set(tenant, reading)
      reading.catch(() => tools.get(tenant) === reading && tools.delete(tenant))
      return reading
    },
    async whyMissing(tenant, tool) {
      if (!tool.startsWith(PREFIX)) return undefined
      const found = await store.automationNamed(tenant, 'workflow', tool.slice(PREFIX.length))
      if (found?.status === 'disabled') return disabledText(found as Workflow)
      return found?.status === 'deprecated' ? `The workflow ${found.name} is deprecated.` : undefined
    },
  }

  async function setStatus(actor: Actor, id: string, wanted: StatusWanted): Promise<Workflow> {
    const set = statusChange(wanted)
    return automations.change(actor, 'workflow', id, () => set, { action: statusAction(wanted) })
  }
}

/** What models are offered. The words it returns are somebody else's, and what it is given leaves. */
function toolOf(workflow: Workflow, { run, verify }: WorkflowCalls): Tool {
  const { name = '', body } = workflow
  const { description, input, effect, approval, costPerInvocation: cost, quota } = body
  return {
    name: workflowTool(name),
    description,
    input,
    kind: 'workflow',
    effect,
    reach: ['outward'],
    ...(approval !== undefined && { approval }),
    ...(cost !== undefined && { cost }),
    ...(quota !== undefined && { quota }),
    run: (args, ctx) => run(workflow, args, ctx),
    ...(effect === 'verifiable' && { verify: (args, ctx) => verify(workflow, args, ctx) }),
  }
}
