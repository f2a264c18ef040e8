import type { Actor } from '../contract/actor.ts'
import type { Automation, AutomationEvent } from '../contract/automation.ts'
import type { Invocation, InvocationOrigin, RunSums } from '../contract/invocation.ts'
import type { Json, JsonObject } from '../contract/message.ts'
import type { InvocationQuery, Page } from '../store/index.ts'
import type { SignedRequest } from './standard-webhooks.ts'

/** Runs of workflows and deliveries to webhooks. */
export interface Invocations {
  /** Starts it once per key; without `wait` it is handed over in the background. */
  invoke(actor: Actor, workflowId: string, input: JsonObject, options?: InvokeOptions): Promise<Invocation>
  /** One's own, or with `workflow:manage` those of the tenant. */
  get(actor: Actor, id: string): Promise<Invocation>
  /** Newest first. */
  list(actor: Actor, query?: Omit<InvocationQuery, 'tenant' | 'userId' | 'deliveries'>): Promise<Page<Invocation>>
  /** How the last runs of a workflow went: one's own, or with `workflow:manage` those of the tenant. */
  sums(actor: Actor, workflowId: string): Promise<RunSums>
  /** Stops it where the engine can; one that was handed over and cannot be stopped is `unknown`. */
  cancel(actor: Actor, id: string): Promise<Invocation>
  /** What came of it; the same report again gets the same answer, another one is a conflict. */
  report(by: Reporter, id: string, report: Report): Promise<Invocation>
  /** The deliveries of a webhook, newest first. */
  deliveries(
    actor: Actor,
    webhookId: string,
    query?: Pick<InvocationQuery, 'limit' | 'cursor'>,
  ): Promise<Page<Invocation>>
  /** Sends a delivery once more, if it is not on its way; one that arrived, too. */
  sendAgain(actor: Actor, deliveryId: string): Promise<Invocation>
  /**
   * Erases what runs of the actor, or with `workflow:manage` of another user, were given and gave, what webhooks were
   * told of them, and what still waits to be told.
   */
  erase(actor: Actor, userId?: string): Promise<void>

  /** For triggers, schedules and hooks, as their creator; does nothing if its key is known. */
  startFor(cause: Cause, workflowId: string, input: JsonObject): Promise<Invocation>
  /** Stores that a webhook is to be told, once per event. */
  deliver(webhook: Automation<'webhook'>, event: AutomationEvent, body: JsonObject): Promise<void>
  /** Hands over, tries again, looks up and gives up whatever is due, until it is stopped. */
  start(everyMs?: number): { stop(): Promise<void> }
}

interface InvokeOptions {
  /** without one: made of workflow, tenant, user, input, origin and the five minutes it falls into */
  readonly key?: string
  /** waits until it has ended, or for as long as its hand-over may take */
  readonly wait?: boolean
  readonly signal?: AbortSignal
}

/** What starts a workflow without a person. */
interface Cause {
  readonly origin: Extract<InvocationOrigin, 'trigger' | 'schedule' | 'hook'>
  /** the trigger, schedule or hook */
  readonly automation: Automation
  /** as whom it runs */
  readonly actor: Actor
  readonly key: string
  readonly depth: number
  /** with which its input and output are erased */
  readonly sessionId?: string
}

export interface Report {
  readonly status: 'running' | 'success' | 'failure'
  readonly output?: Json
  readonly error?: string
}

/** Who reports a result: the engine by its signature or by the token it was given, or a person. */
export type Reporter = { readonly signed: SignedRequest } | { readonly token: string } | { readonly actor: Actor }
