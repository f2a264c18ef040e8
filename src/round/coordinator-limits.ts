export interface CoordinatorLimits {
  readonly maxCoordinators: number
  readonly maxRounds: number
  readonly queueLength: number
  /** inputs of any kind that may wait for one session */
  readonly waitingInputs?: number
  readonly idleMs: number
  /** why no new round may begin now, if it may not */
  pressure?(): string | undefined
}
