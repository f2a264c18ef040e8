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
import { AUTOMATION_KINDS, ENGINE_NAMES } from './automation.ts'
import { INVOCATION_CODES, INVOCATION_ORIGINS, INVOCATION_STATUSES } from './invocation.ts'
import type { ToolResult } from './call-events.ts'
import type { ProblemCode } from './problem.ts'

export type AuditCategory = 'channel' | 'tool' | 'orchestrator' | 'access'

/** All actions that can be recorded, with their category. */
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
  prompt_created: 'access',
  prompt_changed: 'access',
  prompt_submitted: 'access',
  prompt_approved: 'access',
  prompt_rejected: 'access',
  prompt_activated: 'access',
  prompt_deprecated: 'access',
  document_created: 'access',
  document_changed: 'access',
  document_submitted: 'access',
  document_approved: 'access',
  document_rejected: 'access',
  document_published: 'access',
  document_archived: 'access',
  document_deleted: 'access',
  memory_created: 'access',
  memory_changed: 'access',
  memory_kept: 'access',
  memory_deleted: 'access',
  memories_forgotten: 'access',
  automation_created: 'access',
  automation_changed: 'access',
  automation_disabled: 'access',
  automation_enabled: 'access',
  automation_removed: 'access',
  automation_secret_made: 'access',
  automation_skipped: 'access',
  invocation_cancelled: 'access',
  invocation_reported: 'access',
  invocations_erased: 'access',
  event_reported: 'access',
  delivery_sent: 'access',
  preferences_changed: 'access',
  preferences_forgotten: 'access',
  provider_set: 'access',
  provider_removed: 'access',
  provider_tested: 'access',
  secrets_reencrypted: 'access',
  secret_forgotten: 'access',
  definition_approved: 'access',
  authorization_begun: 'access',
  server_authorized: 'access',
  /** a record with an unknown action, stored without its name */
  unrecognised: 'access',
} as const satisfies Record<string, AuditCategory>

export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AUDIT_SEVERITIES = ['info', 'warning', 'error'] as const
export type AuditSeverity = (typeof AUDIT_SEVERITIES)[number]

const CODES = [...REFUSAL_CODES, 'EXPIRED', 'UNATTENDED', 'OUTPUT_LIMIT'] as const satisfies readonly NonNullable<
  ToolResult['code']
>[]

/**
 * All fields the metadata of a record may have. A list has the allowed values; `name` comes from the configuration,
 * `id` from Segno or the identity provider, and neither can hold a sentence; `error` is redacted.
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
  /** of a budget; a missing one is unlimited */
  dailyTokens: 'number',
  dailyToolCost: 'number',
  dailyCost: 'number',
  turns: 'number',
  toolCalls: 'number',
  /** failed sign-ins of a source since the last record */
  failures: 'number',
  jobId: 'number',
  /** times of a schedule at which nothing was started */
  skipped: 'number',
  secrets: 'number',
  promptVersion: 'number',
  documentVersion: 'number',
  status: 'number',
  estimated: 'boolean',
  attended: 'boolean',
  happened: 'boolean',
  answered: 'boolean',
  remembered: 'boolean',
  removed: 'boolean',
  /** its author approved a prompt or a document, because the tenant has nobody else */
  selfApproved: 'boolean',
  inputHash: 'hash',
  valueHash: 'hash',
  /** of an unregistered tool's name, which the model made up */
  nameHash: 'hash',
  callId: 'id',
  approvalId: 'id',
  messageId: 'id',
  parentId: 'id',
  keyId: 'id',
  /** whose key or data it is */
  holder: 'id',
  /** the address a request comes from */
  source: 'id',
  workspaceId: 'id',
  promptId: 'id',
  documentId: 'id',
  memoryId: 'id',
  automationId: 'id',
  invocationId: 'id',
  automation: AUTOMATION_KINDS,
  engine: ENGINE_NAMES,
  origin: INVOCATION_ORIGINS,
  invocationStatus: INVOCATION_STATUSES,
  invocationCode: INVOCATION_CODES,
  /** of an event of an automation */
  event: 'name',
  attempts: 'number',
  depth: 'number',
  tool: 'name',
  model: 'name',
  provider: 'name',
  /** the host a provider is reached at */
  host: 'name',
  channel: 'name',
  permission: 'name',
  role: 'name',
  operator: 'boolean',
  field: ['name', 'folder', 'instructions', 'models', 'mcpServers', 'files', 'dynamicContext', 'promptSettings'],
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

/** Who did what, when and with which result, but no content; `at` is milliseconds since 1970. */
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

/** The records of one commit; `hash` covers it and all rows before, and is null until it is sealed. */
export interface AuditRow {
  readonly seq: number
  readonly tenant: string
  readonly at: number
  /** a JSON array of records */
  readonly body: string
  readonly hash: string | null
}

/** The end of the chain; a copy kept elsewhere shows whether the end was cut off. */
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

export interface AuditReport {
  readonly ok: boolean
  readonly rows: number
  readonly records: number
  /** keep it elsewhere and pass it to the next verification */
  readonly head: AuditHead
  readonly findings: readonly string[]
}
