import type { AutomationEvent } from '../contract/automation.ts'
import type { Extras } from './accounts.ts'
import type { Repeated } from './inbox.ts'

/**
 * What happened that automations may want to hear of; stored with its cause, removed once they were told. One whose id
 * is there already, or whose session is deleted, is left out.
 */
export interface OutboxStore {
  /** Stores one that has no other cause. */
  addOutbox(event: OutboxEvent, extras?: Pick<Extras, 'claim' | 'audit'>): Promise<'stored' | Repeated>
  /**
   * In the order of their places, after one (0: from the first); those of a session are in the order they happened. One
   * with a lower place may come to be seen later, so whoever wants all of them removes what he had and begins at 0.
   */
  outbox(after: number, limit: number): Promise<readonly StoredOutboxEvent[]>
  removeOutbox(place: number): Promise<void>
  /** Forgets events from before a time, at most `limit` of them. */
  forgetOutbox(before: number, limit: number): Promise<void>
}

export type OutboxEvent = AutomationEvent

export interface StoredOutboxEvent extends OutboxEvent {
  readonly place: number
}
