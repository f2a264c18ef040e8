import {
  DECISIONS,
  EFFECT_CLASSES,
  FINISH_REASONS,
  MODES,
  OUTCOMES,
  PROTOCOLS,
  REFUSAL_CODES,
  STOP_REASONS,
  type Effect,
} from './outcome.ts'
import type { ToolResult } from './event.ts'
import type { ProblemCode } from './problem.ts'

export type AuditCategory = 'channel' | 'tool' | 'orchestrator' | 'access'

/** Everything that can be recorded, with the category it belongs to. */
export const AUDIT_ACTIONS = {
  message_received: 'channel',
  message_complete: 'channel',
  message_error: 'channel',
  tool_executed: 'tool',
  tool_denied: 'tool',
  result_dropped: 'tool',
  'orchestrator.request.start': 'orchestrator',
  'orchestrator.request.complete': 'orchestrator',
  'orchestrator.request.error': 'orchestrator',
  'orchestrator.tool.call': 'orchestrator',
  'orchestrator.tool.result': 'orchestrator',
  'orchestrator.workflow.invoke': 'orchestrator',
  'orchestrator.workflow.result': 'orchestrator',
  'orchestrator.cost.recorded': 'orchestrator',
  approval_decided: 'access',
  call_reconciled: 'access',
  session_created: 'access',
  session_forked: 'access',
  session_changed: 'access',
  session_archived: 'access',
  session_deleted: 'access',
  context_cleared: 'access',
  message_deleted: 'access',
  access_denied: 'access',
  sign_in_failed: 'access',
  key_created: 'access',
  key_revoked: 'access',
  workspace_changed: 'access',
  budget_changed: 'access',
  job_retried: 'access',
  definition_approved: 'access',
  authorization_begun: 'access',
  server_authorized: 'access',
  /** what a record becomes whose action is none of these: it is kept, without the word it used */
  unrecognised: 'access',
} as const satisfies Record<string, AuditCategory>

export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AUDIT_SEVERITIES = ['info', 'warning', 'error'] as const
export type AuditSeverity = (typeof AUDIT_SEVERITIES)[number]

const CODES = [...REFUSAL_CODES, 'EXPIRED', 'UNATTENDED', 'OUTPUT_LIMIT'] as const satisfies readonly NonNullable<
  ToolResult['code']
>[]

/**
 * All that the metadata of a record may say, and nothing else gets into the store. A list holds the words a field may
 * have. `name` is chosen in the configuration (a tool, a model), `id` is made by Segno or by who signs people in;
 * neither can hold a sentence. `error` is for Segno's own sentences, which are redacted all the same.
 */
export const AUDIT_FIELDS = {
  chars: 'number',
  durationMs: 'number',
  /** micro-dollars */
  cost: 'number',
  inputTokens: 'number',
  outputTokens: 'number',
  cachedReadTokens: 'number',
  cachedWriteTokens: 'number',
  reasoningTokens: 'number',
  /** of a budget; one that is not there is unlimited */
  dailyTokens: 'number',
  dailyToolCost: 'number',
  dailyCost: 'number',
  turns: 'number',
  toolCalls: 'number',
  /** failed sign-ins of a source since the last record */
  failures: 'number',
  jobId: 'number',
  /** of an HTTP answer */
  status: 'number',
  estimated: 'boolean',
  attended: 'boolean',
  happened: 'boolean',
  remembered: 'boolean',
  /** it is no longer there */
  removed: 'boolean',
  inputHash: 'hash',
  /** of what a field was set to */
  valueHash: 'hash',
  /** of the name of a tool that nobody registered: the model made it up, so it is content */
  nameHash: 'hash',
  callId: 'id',
  approvalId: 'id',
  messageId: 'id',
  parentId: 'id',
  keyId: 'id',
  /** who asks with a key */
  holder: 'id',
  /** the address somebody asks from */
  source: 'id',
  workspaceId: 'id',
  tool: 'name',
  model: 'name',
  channel: 'name',
  permission: 'name',
  role: 'name',
  /** of a key that may run the installation */
  operator: 'boolean',
  /** of a workspace */
  field: ['name', 'folder', 'instructions', 'models', 'mcpServers'],
  protocol: PROTOCOLS,
  mode: MODES,
  outcome: OUTCOMES,
  effect: ['none', 'done', 'unknown'] satisfies readonly Effect[],
  effectClass: EFFECT_CLASSES,
  code: CODES,
  decision: DECISIONS,
  finishReason: FINISH_REASONS,
  stopReason: STOP_REASONS,
  problem: 'code',
  error: 'error',
} as const

interface Kinds {
  number: number
  boolean: boolean
  /** SHA-256 in lower-case hex */
  hash: string
  id: string
  name: string
  code: ProblemCode
  error: string
}

export type AuditMetadata = {
  readonly [F in keyof typeof AUDIT_FIELDS]?: (typeof AUDIT_FIELDS)[F] extends infer Kind
    ? Kind extends keyof Kinds
      ? Kinds[Kind]
      : Kind extends readonly (infer Word)[]
        ? Word
        : never
    : never
}

/** Who did what, when, and how it went; never what was said. `at` is milliseconds since 1970. */
export interface AuditRecord {
  readonly id: string
  readonly at: number
  readonly category: AuditCategory
  readonly action: AuditAction
  readonly severity: AuditSeverity
  readonly requestId: string | null
  readonly sessionId: string | null
  readonly userId: string
  readonly tenant: string
  readonly metadata: AuditMetadata
}

/** What one commit recorded, as it is stored: `hash` seals it and everything before it, null until it is sealed. */
export interface AuditRow {
  readonly seq: number
  readonly tenant: string
  readonly at: number
  /** a JSON array of records */
  readonly body: string
  readonly hash: string | null
}

/** The end of the chain. Kept elsewhere, it shows whether the end was cut off. */
export interface AuditHead {
  readonly seq: number
  readonly hash: string
}

type Subject = Pick<AuditRecord, 'id' | 'at' | 'userId' | 'tenant'> &
  Partial<Pick<AuditRecord, 'requestId' | 'sessionId'>>

export function auditRecord(
  action: AuditAction,
  { id, at, requestId = null, sessionId = null, userId, tenant }: Subject,
  metadata: AuditMetadata = {},
  severity: AuditSeverity = 'info',
): AuditRecord {
  const category = AUDIT_ACTIONS[action]
  return { id, at, category, action, severity, requestId, sessionId, userId, tenant, metadata }
}
