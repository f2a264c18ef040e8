/** What a server may cost. Times are milliseconds. */
export interface McpLimits {
  /** how long a round waits for a server that is starting */
  readonly connectMs: number
  /** how long a server may take to start and list its tools */
  readonly startMs: number
  /** how long a server may take to say which protocol it speaks before it is taken for an old one */
  readonly probeMs: number
  /** how often a server is asked whether it is well */
  readonly healthMs: number
  /** how long it may take to say so */
  readonly pingMs: number
  /** the first wait before a server is started again; doubled twice */
  readonly restartMs: number
  /** failures in a row after which a server is left alone; 0: never */
  readonly breakerFailures: number
  /** how long it is left alone */
  readonly breakerMs: number
  /** how long an unused server keeps running */
  readonly idleMs: number
  /** how long a server gets to stop by itself before it is killed */
  readonly stopMs: number
  /** servers that run at once, all workspaces together */
  readonly maxRunning: number
  /** tools of one server */
  readonly maxTools: number
  /** bytes of one tool's definition */
  readonly definitionBytes: number
  /** characters of a description the model sees */
  readonly descriptionChars: number
  /** bytes of one message of a server */
  readonly messageBytes: number
  /** messages nobody asked for that a server may send in ten seconds */
  readonly floodMessages: number
  /** lines of a server's log that are kept */
  readonly logLines: number
  /** questions one call may put to a person */
  readonly maxQuestions: number
}
