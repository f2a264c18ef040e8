import type { FilePart, Json, JsonObject } from './message.ts'
import type { DECISIONS, Effect, Outcome, RefusalCode } from './outcome.ts'
import type { Retrieved } from './sent-prompt.ts'
import type { Shown } from './shown.ts'

export interface ToolCall {
  callId: string
  turn: number
  name: string
  args: JsonObject
  raw?: string
  signature: string
}

export interface ApprovalRequested {
  approvalId: string
  callId: string
  tool: string
  args: JsonObject
  argsHash: string
  definitionHash: string
  target: string
  reason: string
  rememberable: boolean
  expiresAt: number
  /** how its tool shows the call; missing if that is a table of its arguments */
  shown?: Shown
  /** an earlier approval that no longer holds, because the call has changed */
  replaces?: string
  /** asked by a running call; its answer may have content */
  question?: { message: string; schema?: JsonObject }
}

export interface ApprovalDecided {
  approvalId: string
  callId: string
  decision: (typeof DECISIONS)[number]
  by: string
  reason?: string
  remember?: 'session'
  content?: JsonObject
}

export interface ToolResult {
  callId: string
  name: string
  signature: string
  outcome: Outcome
  code?: RefusalCode | 'EXPIRED' | 'UNATTENDED' | 'OUTPUT_LIMIT'
  effect: Effect
  content: string
  /** hash of the whole output, if `content` was cut */
  blob?: string
  /** characters left out of `content` */
  cut?: number
  files?: readonly FilePart[]
  durationMs: number
  cost: number
  /** used by a model the tool asked */
  tokens?: number
  /** passages that stand after `content` */
  retrieved?: Extract<Retrieved, { kind: 'passage' }>[]
  /** every word is Segno's or the tool's own; anything else is foreign text and taints */
  own?: boolean
  meta?: Json
}
