import type { AuditRecord } from '../contract/audit.ts'
import type { Invocation, InvocationStatus } from '../contract/invocation.ts'
import type { Quota } from '../contract/tool.ts'
import type { Claim } from './inbox.ts'
import type { Page, PageQuery } from './lists.ts'

/** Runs of workflows and deliveries to webhooks, which are also the queue of what has to be done with them. */
export interface InvocationStore {
  /**
   * Stores it unless the tenant has one with its key, which is returned instead. `over`: its automation has no room for
   * one more within the last hour, or at once.
   */
  addInvocation(added: Invocation, more?: InvocationExtras): Promise<AddedInvocation>
  invocation(tenant: string, id: string): Promise<Invocation | undefined>
  /** Of whichever tenant: whoever reports a result shows by a signature or token that it is theirs. */
  anyInvocation(id: string): Promise<Invocation | undefined>
  invocationByKey(tenant: string, key: string): Promise<Invocation | undefined>
  /** How many of an automation a trigger, schedule or hook has started since a time. */
  countStarted(by: StartedBy): Promise<number>
  /** How the newest of an automation since a time went, newest first; at most `limit` are looked at. */
  invocationEnds(query: EndsQuery): Promise<readonly InvocationEnd[]>
  /** Newest first. */
  invocations(query: InvocationQuery): Promise<Page<Invocation>>
  /** The one that is due longest, hidden from others for `leaseMs`; its revision and due time have changed by that. */
  takeInvocation(now: number, leaseMs: number, except?: NotTaken): Promise<Invocation | undefined>
  /** At the start of a process: what one that died had taken is due, where no other can have the database. */
  freeInvocations(now: number): Promise<void>
  /** Stores it as it is now, if its revision was the one before; false, and nothing changes, if not. */
  changeInvocation(changed: Invocation, audit?: readonly AuditRecord[]): Promise<boolean>
  /** Keeps what a signed message was for; whoever was first with its id. */
  claimMessage(claim: Claim, at: number): Promise<Claim>
  /** Forgets those with nothing left to do that ended before a time, at most `limit` of them. */
  forgetInvocations(before: number, limit: number): Promise<void>
  /**
   * Takes input, output and errors out of those of a user, and removes what the outbox has of them; what has not ended
   * will keep none either. Purging a session does the same for all of its.
   */
  eraseInvocations(tenant: string, userId: string, audit?: readonly AuditRecord[]): Promise<void>
}

/** Whose have their share already. */
export interface NotTaken {
  readonly tenants: readonly string[]
  readonly automations: readonly string[]
}

export interface InvocationExtras {
  readonly quota?: Quota
  /** micro-dollars that it costs its user, spent with it; those with a budget need as much left */
  readonly cost?: number
  readonly audit?: readonly AuditRecord[]
}

export type AddedInvocation =
  | { readonly kind: 'added' | 'known'; readonly invocation: Invocation }
  | { readonly kind: 'over'; readonly what: keyof Quota | 'budget' }

export interface InvocationQuery extends PageQuery {
  readonly tenant: string
  readonly automationId?: string
  readonly status?: InvocationStatus
  readonly userId?: string
  /** only runs of workflows, or only deliveries */
  readonly deliveries?: boolean
}

interface EndsQuery {
  readonly tenant: string
  readonly automationId: string
  readonly since: number
  readonly limit: number
}

export interface InvocationEnd extends Pick<Invocation, 'status' | 'userId' | 'createdAt'> {
  /** from the first hand-over to its end; missing without both */
  readonly tookMs?: number
}

interface StartedBy {
  readonly tenant: string
  readonly automationId: string
  readonly originId: string
  readonly since: number
}
