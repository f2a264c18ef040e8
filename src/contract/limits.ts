/** Limits of a round, which a client may lower but not raise; times are milliseconds. */
export interface RoundLimits {
  /** turns that may use tools (unified) */
  readonly maxIterations: number
  /** executed calls in one round */
  readonly maxToolCalls: number
  /** executions in one triggered round */
  readonly maxCycles: number
  /** attempts that execute nothing (triggered) */
  readonly maxFruitless: number
  /** running time, without waiting and downtime */
  readonly totalMs: number
  /** until the first content of a model call */
  readonly modelCallMs: number
  /** the longest gap between two pieces of content */
  readonly contentGapMs: number
  readonly toolMs: number
}
