export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly reason: string; readonly rememberable: boolean }
  | { readonly kind: 'refuse'; readonly code: RefusalCode; readonly message: string }

export const REFUSAL_CODES = [
  'INVALID',
  'UNKNOWN_TOOL',
  'DUPLICATE',
  'PERMISSION',
  'FOLDER',
  'POLICY',
  'BUDGET_EXCEEDED',
  'COST_ESTIMATE_FAILED',
  'QUOTA',
  'LIMIT',
  'MODE',
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

export const OUTCOMES = ['ok', 'error', 'refused', 'denied', 'cancelled', 'timeout', 'unknown'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Effect = 'none' | 'done' | 'unknown'

/**
 * What may be done with a started call without a result: `pure` may run again, `keyed` with the same key, `verifiable`
 * is looked up, `unsafe` never runs again.
 */
export const EFFECT_CLASSES = ['pure', 'keyed', 'verifiable', 'unsafe'] as const
export type EffectClass = (typeof EFFECT_CLASSES)[number]

export const FINISH_REASONS = [
  'complete',
  'max_tokens',
  'iteration_limit',
  'tool_limit',
  'budget',
  'timeout',
  'cancelled',
  'error',
] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/** The ends of rounds that a person can let go on: too many turns, too many calls. */
export type CountLimit = Extract<FinishReason, 'iteration_limit' | 'tool_limit'>
export const isCountLimit = (reason: string | undefined): reason is CountLimit =>
  reason === 'iteration_limit' || reason === 'tool_limit'

export const STOP_REASONS = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'content_filter',
  'cancelled',
  'timeout',
  'error',
] as const
export type StopReason = (typeof STOP_REASONS)[number]

export const DECISIONS = ['approve', 'deny', 'expired', 'stale'] as const

export const PROTOCOLS = ['unified', 'triggered'] as const
export type Protocol = (typeof PROTOCOLS)[number]
export const MODES = ['plan', 'act'] as const
export type Mode = (typeof MODES)[number]
export type PhaseName = 'tool_phase' | 'action_phase'
