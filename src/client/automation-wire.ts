import type {
  Action,
  AutomationStatus,
  EngineName,
  HookBody,
  ScheduleBody,
  TriggerBody,
  WebhookBody,
  WorkflowBody,
} from '../contract/automation.ts'
import type { Invocation, InvocationStatus, RunSums } from '../contract/invocation.ts'
import type { JsonObject } from '../contract/message.ts'

/** What all automations have. */
interface Automation {
  readonly id: string
  readonly status: AutomationStatus
  /** why it is disabled */
  readonly reason?: string
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
}

/** Shown only in the answer that made it. */
interface WithSecret {
  readonly secret?: string
}

interface WorkflowFields extends Omit<WorkflowBody, 'target' | 'costPerInvocation'> {
  readonly name: string
  readonly engine: EngineName
  /** of one invocation, in micro-dollars */
  readonly cost?: number
}

export interface WorkflowInput extends Omit<WorkflowFields, 'input' | 'output' | 'effect'> {
  /** where it is, with what is secret */
  readonly target: object
  readonly input: object
  readonly output?: object
  readonly effect?: WorkflowBody['effect']
}

export interface Workflow extends Automation, WithSecret, WorkflowFields {
  readonly target: {
    readonly url?: string
    /** the name of the header that lets us in */
    readonly header?: string
    readonly apiUrl?: string
    readonly connection?: string
    readonly workflowType?: string
    readonly taskQueue?: string
    readonly hasAuth?: boolean
    readonly hasApiKey?: boolean
  }
  /** of those whoever asks may see; not in lists */
  readonly runs?: RunCounts
}

/** How the last runs went. */
export interface RunCounts extends Omit<RunSums, 'since'> {
  readonly since: string
}

export interface WorkflowRun extends Pick<
  Invocation,
  | 'id'
  | 'status'
  | 'key'
  | 'origin'
  | 'originId'
  | 'output'
  | 'raw'
  | 'error'
  | 'code'
  | 'engineRef'
  | 'sessionId'
  | 'requestId'
  | 'callId'
  | 'attempts'
  | 'depth'
  | 'input'
> {
  readonly workflowId: string
  /** the name of the workflow */
  readonly workflow: string
  readonly createdAt: string
  readonly startedAt?: string
  readonly endedAt?: string
  /** when it is tried again */
  readonly nextAt?: string
  /** how long its result is waited for */
  readonly until: string
}

export interface RunReport {
  readonly status: 'running' | 'success' | 'failure'
  readonly output?: unknown
  readonly error?: string | undefined
}

export interface Webhook extends Automation, WithSecret, WebhookBody {}

/** One event that was told to a webhook. */
export interface Delivery {
  readonly id: string
  readonly event: string
  readonly status: InvocationStatus
  readonly attempts: number
  readonly error?: string
  readonly code?: string
  readonly createdAt: string
  readonly endedAt?: string
  readonly nextAt?: string
}

export interface Hook extends Automation, WithSecret, HookBody {
  readonly name: string
}

export interface Trigger extends Automation, TriggerBody {}

export interface Schedule extends Automation, Pick<ScheduleBody, 'cron' | 'timeZone'> {
  readonly workflowId?: string
  readonly input?: JsonObject
  readonly sessionId?: string
  readonly content?: string
  readonly nextAt?: string
}

export interface AutomationInput {
  webhooks: { readonly url: string; readonly events: readonly string[]; readonly content?: boolean }
  hooks: { readonly name: string; readonly action: Action }
  triggers: Pick<TriggerBody, 'event' | 'workflowId'> & Partial<Pick<TriggerBody, 'filter'>>
  schedules: Pick<Schedule, 'cron' | 'workflowId' | 'input' | 'sessionId' | 'content'> & { readonly timeZone?: string }
}

export interface AutomationWire {
  webhooks: Webhook
  hooks: Hook
  triggers: Trigger
  schedules: Schedule
}

/** All automations but workflows, as their routes are called. */
export type AutomationRoute = keyof AutomationWire
