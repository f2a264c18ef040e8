import type { Json, JsonObject } from './message.ts'

/**
 * `pending`: not handed over yet; `running`: handed over, and its result comes later; `unknown`: it may have happened
 */
export const INVOCATION_STATUSES = ['pending', 'running', 'success', 'failure', 'timeout', 'unknown'] as const
export type InvocationStatus = (typeof INVOCATION_STATUSES)[number]

/** What made it: a model's call, a person, an event, the clock, or a hook. */
export const INVOCATION_ORIGINS = ['call', 'person', 'trigger', 'schedule', 'hook', 'webhook'] as const
export type InvocationOrigin = (typeof INVOCATION_ORIGINS)[number]

export const INVOCATION_CODES = [
  'TIMEOUT',
  'CONNECTION_ERROR',
  'RATE_LIMITED',
  'REFUSED',
  'BAD_ANSWER',
  'BAD_OUTPUT',
  'FAILED',
  'CANCELLED',
  'NOT_ALLOWED',
  'TOO_DEEP',
] as const
export type InvocationCode = (typeof INVOCATION_CODES)[number]

/** One run of a workflow, or one delivery to a webhook; stored before anything is sent. */
export interface Invocation {
  readonly id: string
  readonly tenant: string
  /** the workflow or the webhook */
  readonly automationId: string
  /** unique in the tenant, and sent with every attempt */
  readonly key: string
  readonly status: InvocationStatus
  readonly origin: InvocationOrigin
  /** the trigger, schedule or hook it comes from */
  readonly originId?: string
  /** on whose behalf */
  readonly userId: string
  readonly sessionId?: string
  readonly requestId?: string
  readonly callId?: string
  /** the type of the event, of a delivery */
  readonly event?: string
  readonly depth: number
  /** hand-overs that were begun; counted before each */
  readonly attempts: number
  /** a hand-over was begun of which nobody knows that nothing came of it */
  readonly inDoubt?: true
  /** when it has to be looked at next; missing: nothing is left to do */
  readonly dueAt?: number
  /** until when its result is waited for */
  readonly until: number
  /** missing once it is erased */
  readonly input?: JsonObject
  readonly output?: Json
  /** the beginning of an answer that did not fit, for people */
  readonly raw?: string
  readonly code?: InvocationCode
  readonly error?: string
  /** what the engine calls it */
  readonly engineRef?: string
  /** hashes of the tokens that its engine may call back with, one for each attempt */
  readonly tokens?: readonly string[]
  /** the hash of the result that was reported, so that a repeat gets the same answer */
  readonly reported?: string
  /** its call in the conversation has the result, or the other way round */
  readonly told?: boolean
  readonly createdAt: number
  /** of the first hand-over */
  readonly startedAt?: number
  readonly endedAt?: number
  readonly revision: number
}

/** How the last runs of a workflow went: how many have each status. */
export interface RunSums extends Readonly<Record<InvocationStatus, number>> {
  /** those that were started after this */
  readonly since: number
  /** half of those whose end was told took less, from being handed over */
  readonly medianMs?: number
}

export const hasEnded = ({ status }: Pick<Invocation, 'status'>): boolean =>
  status !== 'pending' && status !== 'running'

/** What a model reads of a workflow that took too long. */
export const WORKFLOW_TIMED_OUT =
  '[Workflow timed out. The action may still complete in the background. Please check back later.]'
