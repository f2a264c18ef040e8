import type { ApprovalDecided, ToolResult } from './call-events.ts'
import type { EventData } from './event.ts'
import type { RoundStarted } from './round-started.ts'
import type { UserPart } from './message.ts'
import type { ParamChanges } from './model-params.ts'

/**
 * Something from outside, stored under a unique key before it is acknowledged, and later folded into the log by the
 * owner.
 */
export interface Input {
  readonly id: string
  readonly sessionId: string
  readonly key: string
  readonly at: number
  /** the head of the log when it was last deferred */
  readonly seen?: number
  readonly body: InputBody
}

export type InputBody =
  | MessageInput
  | { readonly kind: 'cancel' | 'pause' | 'resume'; readonly requestId: string; readonly by: string }
  | ({ readonly kind: 'decision'; readonly decision: 'approve' | 'deny' } & Readonly<Omit<ApprovalDecided, 'callId'>>)
  | {
      /** of a call that answers later */
      readonly kind: 'result'
      readonly callId: string
      readonly by: string
      /** redacted and cut; blobs it names are stored with the input */
      readonly content: Pick<ToolResult, 'outcome' | 'effect' | 'content' | 'blob' | 'cut' | 'files' | 'own'>
    }
  | ({ readonly kind: 'reconcile' } & Readonly<Omit<EventData['tool.reconciled'], 'signature' | 'late'>>)
  | ({ readonly kind: 'change' } & SessionChanges)
  | { readonly kind: 'archive' | 'clear' | 'delete'; readonly by: string }
  | { readonly kind: 'delete-message'; readonly eventId: string; readonly seq?: number; readonly by: string }
  /** summarise what was said so far; between two rounds */
  | { readonly kind: 'compact'; readonly by: string }
  /** find a title for the conversation; between two rounds */
  | { readonly kind: 'title' }

/** What is to become different in a session. */
export interface SessionChanges extends Readonly<Omit<EventData['session.changed'], 'params'>> {
  readonly params?: ParamChanges
}

export type QueuedMessage = Input & { readonly body: MessageInput }

export interface MessageInput extends Readonly<Omit<RoundStarted, 'permissions'>> {
  readonly kind: 'message'
  /** the bytes of its files are stored with the input */
  readonly content: string | readonly UserPart[]
  readonly permissions: readonly string[]
  readonly interrupt: boolean
}
