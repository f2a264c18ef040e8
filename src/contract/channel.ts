import type { MessageContent } from './message.ts'
import type { ShownApproval } from './views.ts'

/** One message as a channel delivers it. Delivering it again under the same id joins the round it started. */
export interface ChannelMessage {
  readonly id: string
  readonly userId: string
  readonly content: MessageContent
  readonly timestamp: Date
}

/** Where messages come from and answers go. The loop never knows which one listens. */
export interface Channel {
  readonly name: string
  streamDelta(text: string): void
  streamComplete(): void
  /** Asks the person at this channel. Without it nobody can be asked, and what needs approval is denied. */
  requestApproval?(request: ShownApproval): Promise<boolean>
  /** Once for each call, when it begins. */
  onToolCallStart?(name: string): void
  onToolCallResult?(name: string, success: boolean): void
}

export interface OrchestratorEvent {
  readonly type: 'message_start' | 'tool_call' | 'tool_result' | 'message_complete' | 'error'
  readonly timestamp: Date
  readonly requestId: string
  readonly data: unknown
}
