/** What a server may cost. What each of them means is said where they are set, in the limits MCP_… of the config. */
export interface McpLimits {
  readonly connectMs: number
  readonly startMs: number
  readonly probeMs: number
  readonly healthMs: number
  readonly pingMs: number
  readonly restartMs: number
  readonly breakerFailures: number
  readonly breakerMs: number
  readonly idleMs: number
  readonly stopMs: number
  readonly maxRunning: number
  readonly maxTools: number
  readonly definitionBytes: number
  readonly descriptionChars: number
  readonly messageBytes: number
  readonly floodMessages: number
  readonly logLines: number
  readonly maxQuestions: number
}
