/** What the gate decided about a call. */
export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly rememberable: boolean }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly message: string }

export type RefusalCode =
  | 'INVALID'
  | 'UNKNOWN_TOOL'
  | 'DUPLICATE'
  | 'PERMISSION'
  | 'FOLDER'
  | 'POLICY'
  | 'BUDGET_EXCEEDED'
  | 'COST_ESTIMATE_FAILED'
  | 'QUOTA'
  | 'LIMIT'
  | 'MODE'

/** How a call ended. */
export type Outcome = 'ok' | 'error' | 'refused' | 'denied' | 'cancelled' | 'timeout' | 'unknown'

/** What is known of the call's effect on the world. */
export type Effect = 'none' | 'done' | 'unknown'

/**
 * What may be done with a call that was started and has no result:
 * `pure` may run again, `keyed` may run again with the same key, `verifiable` is looked up, `unsafe` is never rerun.
 */
export type EffectClass = 'pure' | 'keyed' | 'verifiable' | 'unsafe'

export type FinishReason =
  | 'complete'
  | 'max_tokens'
  | 'iteration_limit'
  | 'tool_limit'
  | 'budget'
  | 'timeout'
  | 'cancelled'
  | 'error'

export type Protocol = 'unified' | 'triggered'
export type Mode = 'plan' | 'act'
export type PhaseName = 'tool_phase' | 'action_phase'
