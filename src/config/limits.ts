/** Every limit: its setting is `SEGNO_LIMITS_<NAME>`. Times are milliseconds. */
export const LIMITS = {
  MAX_ITERATIONS: { default: 5, means: 'turns of a unified round that may use tools' },
  MAX_TOOL_CALLS: { default: 10, means: 'calls carried out in one round' },
  MAX_CYCLES: { default: 3, means: 'calls carried out in one triggered round' },
  MAX_FRUITLESS: { default: 3, means: 'calls of a triggered round that may come to nothing' },
  TOTAL_MS: { default: 120_000, means: 'how long a round may be driven; rest and downtime do not count' },
  MODEL_CALL_MS: { default: 60_000, means: 'how long one model call may take' },
  CONTENT_GAP_MS: { default: 30_000, means: 'the longest silence of a model' },
  TOOL_MS: { default: 30_000, means: 'how long a tool may take that does not say' },
  TOOL_MAX_MS: { default: 60_000, means: 'how long any tool may take' },
  MAX_COORDINATORS: { default: 100, least: 1, means: 'sessions held in memory' },
  MAX_ROUNDS: { default: 20, least: 1, means: 'rounds that run at once' },
  QUEUE_LENGTH: { default: 200, means: 'messages that may wait' },
  IDLE_MS: { default: 1_800_000, means: 'how long an unused session stays in memory' },
  HISTORY_MESSAGES: { default: 50, least: 1, means: 'messages of a conversation a model sees' },
  CONTEXT_TOKENS: { default: 100_000, means: 'tokens of a conversation a model sees' },
  RETRIES: { default: 3, means: 'how often a failed model call is tried again' },
  RETRY_BASE_MS: { default: 1000, means: 'the first wait before trying again; doubled each time' },
  OUTPUT_CHARS: { default: 50_000, means: 'characters of tool output a model sees' },
  APPROVAL_MS: { default: 86_400_000, means: 'how long an approval may wait' },
  MESSAGE_CHARS: { default: 1_000_000, means: 'characters of one message' },
  BODY_BYTES: { default: 4_000_000, means: 'bytes of one request' },
  DRAIN_MS: { default: 30_000, means: 'how long running rounds get when Segno stops' },
} as const

export type LimitName = keyof typeof LIMITS
export type Limits = { readonly [Name in LimitName]: number }
