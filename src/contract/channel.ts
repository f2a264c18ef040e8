import type { MessageContent } from './message.ts'
import type { ShownApproval } from './views.ts'

/** A message from a channel; delivering it again under the same id joins the round it started. */
export interface ChannelMessage {
  readonly id: string
  readonly userId: string
  readonly content: MessageContent
  readonly timestamp: Date
}

/** Where messages come from and answers go. */
export interface Channel {
  readonly name: string
  streamDelta(text: string): void
  streamComplete(): void
  /** Asks the person at this channel; without it, whatever needs approval is denied. */
  requestApproval?(request: ShownApproval): Promise<boolean>
  /** Called once per call, when it begins. */
  onToolCallStart?(name: string): void
  onToolCallResult?(name: string, success: boolean): void
}

export interface OrchestratorEvent {
  readonly type: 'message_start' | 'tool_call' | 'tool_result' | 'message_complete' | 'error'
  readonly timestamp: Date
  readonly requestId: string
  readonly data: unknown
}
