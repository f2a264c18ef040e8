import type { Mode, Protocol } from './outcome.ts'
import type { RoundLimits } from './limits.ts'
import type { ActorRef, ToolResult } from './event.ts'
import type { JsonObject, UserPart } from './message.ts'

/** Something from outside, stored under a unique key before it is acknowledged; the owner folds it into the log. */
export interface Input {
  readonly id: string
  readonly sessionId: string
  readonly key: string
  readonly at: number
  /** the number of the log it was looked at with, if it has to wait on */
  readonly seen?: number
  readonly body: InputBody
}

export type InputBody =
  | MessageInput
  | { readonly kind: 'cancel'; readonly requestId: string; readonly by: string }
  | { readonly kind: 'pause'; readonly requestId: string; readonly by: string }
  | { readonly kind: 'resume'; readonly requestId: string; readonly by: string }
  | {
      readonly kind: 'decision'
      readonly approvalId: string
      readonly decision: 'approve' | 'deny'
      readonly by: string
      readonly reason?: string
      readonly remember?: 'session'
      /** what was filled in, where a running call asked for something */
      readonly content?: JsonObject
    }
  | {
      /** of a call that answers later */
      readonly kind: 'result'
      readonly callId: string
      readonly by: string
      /** redacted and cut; the bytes it names are stored beside the input */
      readonly content: Pick<ToolResult, 'outcome' | 'effect' | 'content' | 'blob' | 'cut' | 'files' | 'own'>
    }
  | {
      readonly kind: 'reconcile'
      readonly callId: string
      readonly happened: boolean
      readonly by: string
      readonly note?: string
    }
  | {
      readonly kind: 'change'
      readonly title?: string
      readonly model?: string | null
      readonly protocol?: Protocol | null
      readonly archived?: boolean
    }
  | { readonly kind: 'archive'; readonly by: string }
  | { readonly kind: 'clear'; readonly by: string }
  | { readonly kind: 'delete'; readonly by: string }
  | { readonly kind: 'delete-message'; readonly eventId: string; readonly by: string }

/** A message that waits to become a round. */
export type QueuedMessage = Input & { readonly body: MessageInput }

export interface MessageInput {
  readonly kind: 'message'
  readonly requestId: string
  /** the bytes of its files are stored beside the input */
  readonly content: string | readonly UserPart[]
  readonly actor: ActorRef
  readonly permissions: readonly string[]
  readonly protocol: Protocol
  readonly mode: Mode
  readonly model: string
  readonly limits: RoundLimits
  readonly toolResultsAs: 'system' | 'tool'
  readonly attended: boolean
  readonly channel?: string
  readonly interrupt: boolean
}
