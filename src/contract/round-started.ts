import type { ActorRef } from './actor.ts'
import type { RoundLimits } from './limits.ts'
import type { ModelParams } from './model-params.ts'
import type { Mode, Protocol } from './outcome.ts'

export interface RoundStarted {
  requestId: string
  actor: ActorRef
  permissions: string[]
  protocol: Protocol
  mode: Mode
  model: string
  limits: RoundLimits
  toolResultsAs: 'system' | 'tool'
  /** false when nobody can be asked, so that every ask is a denial */
  attended: boolean
  /** how its message came in; missing in older logs */
  channel?: string
  /** false: no tools; a list: only these, if they are allowed anyway */
  enableTools?: EnableTools
  /** fewer retries of failed model calls, if the sender wants that */
  retryOptions?: RetryOptions
  /** how the model is to answer, where that is not as usual */
  params?: ModelParams
  /** what started it, if that was no person */
  origin?: RoundOrigin
  /** the round it continues, which ended at a count limit and whose calls it does not repeat */
  continues?: string
}

/** A round of a hook or schedule, for its creator. */
export interface RoundOrigin {
  kind: 'hook' | 'schedule'
  /** of the hook or schedule */
  id: string
  /** how many automations led to it */
  depth: number
  /** its message has words from outside */
  hasPayload: boolean
}

export type EnableTools = boolean | readonly string[]

export const RETRYABLE_ERRORS = ['RATE_LIMITED', 'TEMPORARY_FAILURE'] as const

export interface RetryOptions {
  /** at most the configured number */
  readonly maxRetries?: number
  /** the first wait, at least the configured one */
  readonly backoffMs?: number
  /** the errors that are retried; default both */
  readonly retryableErrors?: readonly (typeof RETRYABLE_ERRORS)[number][]
}
