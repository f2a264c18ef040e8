import type { EffectClass } from './outcome.ts'
import type { JsonObject } from './message.ts'
import type { ApprovalNeed, JsonSchema, Quota } from './tool.ts'

/**
 * What runs outside of conversations: a `workflow` is called, a `webhook` is told of events, a `hook` is called from
 * outside, a `trigger` starts a workflow for an event, a `schedule` by the clock.
 */
export const AUTOMATION_KINDS = ['workflow', 'webhook', 'hook', 'trigger', 'schedule'] as const
export type AutomationKind = (typeof AUTOMATION_KINDS)[number]

/** `deprecated`: still called by who has it, and no longer offered to models */
export const AUTOMATION_STATUSES = ['active', 'disabled', 'deprecated'] as const
export type AutomationStatus = (typeof AUTOMATION_STATUSES)[number]

export const ENGINE_NAMES = ['n8n', 'temporal', 'http'] as const
export type EngineName = (typeof ENGINE_NAMES)[number]

/** Where a workflow is, without what is secret. */
export type Target =
  | {
      readonly engine: 'n8n'
      readonly url: string
      /** the name of the header that n8n's webhook checks; its value is a secret */
      readonly header?: string
      /** of n8n's public API, which tells the state of an execution; its key is a secret */
      readonly apiUrl?: string
    }
  | { readonly engine: 'http'; readonly url: string }
  | {
      readonly engine: 'temporal'
      /** the name of a connection in the operator's configuration */
      readonly connection: string
      readonly workflowType: string
      readonly taskQueue: string
    }

/** A Temporal server that the operator named; its key is read from the environment and never shown. */
export interface TemporalConnection {
  readonly address: string
  readonly namespace: string
  readonly tls: boolean
  readonly apiKey?: string
}

/** How often a hand-over is tried again after a failure that allows it. */
export interface Retry {
  readonly attempts: number
  readonly baseMs: number
  readonly factor: number
  readonly maxMs: number
}

export interface WorkflowBody {
  readonly description: string
  readonly target: Target
  readonly input: JsonSchema
  readonly output?: JsonSchema
  readonly effect: EffectClass
  /** micro-dollars */
  readonly costPerInvocation?: number
  readonly quota?: Quota
  readonly approval?: ApprovalNeed
  readonly retry?: Partial<Retry>
  /** of the hand-over */
  readonly timeoutMs?: number
  /** for the result of one that was handed over */
  readonly waitMs?: number
}

export interface WebhookBody {
  readonly url: string
  readonly events: readonly string[]
  /** sends words and arguments too */
  readonly content: boolean
}

/** What a hook or schedule does. A template has its payload as `{{payload}}`, or one of its fields as `{{payload.a.b}}`. */
export type Action =
  | { readonly does: 'workflow'; readonly workflowId: string; readonly input?: JsonObject }
  | { readonly does: 'message'; readonly sessionId: string; readonly content: string }
  | { readonly does: 'event'; readonly type: string }

export interface HookBody {
  readonly action: Action
}

export interface TriggerBody {
  readonly event: string
  /** paths of the payload and what they must equal; all of them */
  readonly filter: Readonly<Record<string, string | number | boolean | null>>
  readonly workflowId: string
}

export interface ScheduleBody {
  readonly cron: string
  readonly timeZone: string
  readonly action: Action
  /** the time it last started something for */
  readonly firedAt?: number
}

export interface AutomationBody {
  workflow: WorkflowBody
  webhook: WebhookBody
  hook: HookBody
  trigger: TriggerBody
  schedule: ScheduleBody
}

interface AutomationOf<Kind extends AutomationKind> {
  readonly id: string
  readonly tenant: string
  readonly kind: Kind
  /** unique among those of its kind in the tenant; workflows and hooks have one */
  readonly name?: string
  readonly status: AutomationStatus
  /** why it is disabled */
  readonly reason?: string
  readonly createdBy: string
  /** what its creator was allowed when it was made; it never runs with more */
  readonly permissions: readonly string[]
  /** the next tick of a schedule */
  readonly dueAt?: number
  /** grows with every change by a person; what the clock does to a schedule is none */
  readonly revision: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly body: AutomationBody[Kind]
}

export type Automation<Kind extends AutomationKind = AutomationKind> = { [K in Kind]: AutomationOf<K> }[Kind]

/** Of the events that have a name of Segno's, those that only others know of. */
export const REPORTED_TYPES = ['user.signup', 'user.subscription.changed'] as const

/** The events that have a name of Segno's; others come by `POST /api/events` or a hook. */
export const EVENT_TYPES = [
  ...REPORTED_TYPES,
  'chat.message.created',
  'knowledge.published',
  'memory.created',
  'tool.invocation.failed',
  'approval.requested',
  'approval.completed',
] as const

/** What happened that automations may want to hear of: ids, types and sizes, and words only if it came from outside. */
export interface AutomationEvent {
  /** the same however often it is stored; a trigger starts its workflow once for it */
  readonly id: string
  /** one of `EVENT_TYPES`, or a name of the tenant's own */
  readonly type: string
  readonly tenant: string
  /** whose it is; it is erased with that user's data */
  readonly userId?: string
  /** it is erased with this session */
  readonly sessionId?: string
  readonly at: number
  readonly payload: JsonObject
  /** how many automations led to it, one causing the next; 0 if missing */
  readonly depth?: number
}
