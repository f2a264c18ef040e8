import type { JsonObject } from './message.ts'
import type { Outcome } from './outcome.ts'
import type { ToolKind } from './tool.ts'

/** A call that belongs to no round and that nobody looks at. */
export interface UnwatchedCall {
  readonly tool: string
  readonly args: JsonObject
  readonly workspaceId: string
  /** the kind of tool that is meant by the name */
  readonly kind: ToolKind
}

/** How to make it, or why it may not be made. */
export type JudgedCall =
  | { readonly refused: string }
  | { readonly refused?: undefined; run(signal: AbortSignal): Promise<UnwatchedResult> }

/** `later`: its result would come later. */
export interface UnwatchedResult {
  readonly outcome: Outcome
  readonly content: string
  readonly later?: object
}
