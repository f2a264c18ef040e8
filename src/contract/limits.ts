/** Limits that travel with a round. A client may lower them, never raise them. Times are milliseconds. */
export interface RoundLimits {
  /** turns that may use tools (unified) */
  readonly maxIterations: number
  /** executed calls in one round */
  readonly maxToolCalls: number
  /** executions in one triggered round */
  readonly maxCycles: number
  /** attempts that execute nothing (triggered) */
  readonly maxFruitless: number
  /** driving time: rest and downtime do not count */
  readonly totalMs: number
  /** until a model call gives its first content */
  readonly modelCallMs: number
  /** the longest silence between two pieces of content */
  readonly contentGapMs: number
  readonly toolMs: number
}
