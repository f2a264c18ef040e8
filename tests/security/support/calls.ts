import { PAYLOAD, RESULT } from './automations.ts'
import type { Belongings } from './belongings.ts'

/**
 * What somebody else gets who holds the permission. `hidden`: it is not there. `denied`: it is not allowed. `own`: an
 * answer with nothing of the other's in it. `shared`: what the rightful owner gets.
 */
type Fate = 'hidden' | 'denied' | 'own' | 'shared'

export interface Call {
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly otherTenant: Fate
  readonly otherUser: Fate
  /** a permission that is needed besides the one the description names */
  readonly also?: string
  /** without that permission it is not there */
  readonly alsoHides?: true
}

/** Belongs to one user. */
const personal = { otherTenant: 'hidden', otherUser: 'hidden' } as const
/** Belongs to everybody of a tenant. */
const common = { otherTenant: 'hidden', otherUser: 'shared' } as const
const ownList = { otherTenant: 'own', otherUser: 'own' } as const
const commonList = { otherTenant: 'own', otherUser: 'shared' } as const
const everybody = { otherTenant: 'shared', otherUser: 'shared' } as const

/** How each operation is called on Ada's things. An operation that is not here fails the test. */
export const CALLS: Readonly<Record<string, (its: Belongings) => Call>> = {
  'GET /health': () => ({ path: '/health', ...everybody }),
  'GET /ready': () => ({ path: '/ready', ...everybody }),
  'GET /metrics': () => ({ path: '/metrics', ...everybody }),

  'GET /api/cluster': () => ({ path: '/api/cluster', ...everybody }),
  'GET /api/me': () => ({ path: '/api/me', ...ownList }),
  'GET /api/sessions': () => ({ path: '/api/sessions', ...ownList }),
  'POST /api/sessions': ({ workspaceId }) => ({ path: '/api/sessions', body: { workspaceId }, ...common }),
  'POST /api/import': ({ workspaceId }) => ({
    path: '/api/import',
    body: { workspaceId, log: '{"type":"message.user","payload":{"content":"hi"}}' },
    ...common,
  }),
  'GET /api/sessions/{id}': (its) => ({ path: session(its), ...personal }),
  'PATCH /api/sessions/{id}': (its) => ({ path: session(its), body: { title: 'Mine now' }, ...personal }),
  'DELETE /api/sessions/{id}': (its) => ({ path: session(its), ...personal }),
  'GET /api/sessions/{id}/export': (its) => ({ path: session(its, '/export?as=jsonl'), ...personal }),
  'GET /api/sessions/{id}/tree': (its) => ({ path: session(its, '/tree'), ...personal }),
  'GET /api/sessions/{id}/prompt': (its) => ({ path: session(its, '/prompt'), ...personal }),
  'POST /api/sessions/{id}/fork': (its) => ({ path: session(its, '/fork'), body: { seq: 2 }, ...personal }),
  'POST /api/sessions/{id}/clear': (its) => ({ path: session(its, '/clear'), ...personal }),
  'POST /api/sessions/{id}/compact': (its) => ({ path: session(its, '/compact'), ...personal }),
  'POST /api/sessions/{id}/archive': (its) => ({ path: session(its, '/archive'), ...personal }),
  'GET /api/sessions/{id}/messages': (its) => ({ path: session(its, '/messages'), ...personal }),
  'POST /api/sessions/{id}/messages': (its) => ({ path: session(its, '/messages?wait=1'), body: HELLO, ...personal }),
  'POST /api/sessions/{id}/request': (its) => ({ path: session(its, '/request'), body: HELLO, ...personal }),
  'GET /api/sessions/{id}/messages/{eventId}/citations': (its) => ({
    path: session(its, `/messages/${its.answerId}/citations`),
    ...personal,
  }),
  'DELETE /api/sessions/{id}/messages/{eventId}': (its) => ({
    path: session(its, `/messages/${its.eventId}`),
    ...personal,
  }),
  'GET /api/sessions/{id}/files/{hash}': (its) => ({ path: session(its, `/files/${its.fileHash}`), ...personal }),
  'GET /api/sessions/{id}/events': (its) => ({ path: session(its, '/events?outputs=1'), ...personal }),

  'GET /api/rounds': () => ({ path: '/api/rounds', ...ownList }),
  'GET /api/rounds/{requestId}': ({ endedRound }) => ({ path: `/api/rounds/${endedRound}`, ...personal }),
  'GET /api/rounds/{requestId}/prompt': ({ endedRound }) => ({ path: `/api/rounds/${endedRound}/prompt`, ...personal }),
  'GET /api/rounds/{requestId}/trace': ({ endedRound }) => ({ path: `/api/rounds/${endedRound}/trace`, ...common }),
  'POST /api/rounds/{requestId}/cancel': ({ waitingRound: id }) => ({ path: `/api/rounds/${id}/cancel`, ...personal }),
  'POST /api/rounds/{requestId}/continue': ({ limitedRound: id }) => ({
    path: `/api/rounds/${id}/continue`,
    ...personal,
  }),
  'POST /api/rounds/{requestId}/pause': ({ waitingRound: id }) => ({ path: `/api/rounds/${id}/pause`, ...personal }),
  'POST /api/rounds/{requestId}/resume': ({ pausedRound: id }) => ({ path: `/api/rounds/${id}/resume`, ...personal }),
  'GET /api/approvals': () => ({ path: '/api/approvals?status=pending', ...ownList }),
  'POST /api/approvals/{id}': ({ approvalId }) => ({
    path: `/api/approvals/${approvalId}`,
    body: { decision: 'approve' },
    also: 'tool:send',
    ...personal,
  }),
  'POST /api/policy/explain': ({ workspaceId }) => ({
    path: '/api/policy/explain',
    body: { tool: 'calculator', workspaceId },
    ...common,
  }),
  'GET /api/calls': () => ({ path: '/api/calls?outcome=unknown', ...ownList }),
  'POST /api/calls/{callId}/reconcile': ({ callId }) => ({
    path: `/api/calls/${callId}/reconcile`,
    body: { happened: true },
    ...personal,
  }),

  'POST /api/chat/messages': (its) => ({ path: '/api/chat/messages', body: inSession(its), ...personal }),
  'POST /api/chat/messages_two_stage': (its) => ({
    path: '/api/chat/messages_two_stage',
    body: inSession(its),
    ...personal,
  }),
  'POST /api/chat/messages_two_stage/resume': ({ pausedRound: requestId }) => ({
    path: '/api/chat/messages_two_stage/resume',
    body: { requestId, resumeFromPhaseIndex: 2 },
    ...personal,
  }),
  'GET /api/chats/{id}/stream': ({ sessionId }) => ({
    path: `/api/chats/${sessionId}/stream?message=hello`,
    ...personal,
  }),
  'POST /api/chats/{id}/stream': ({ sessionId }) => ({
    path: `/api/chats/${sessionId}/stream`,
    body: HELLO,
    ...personal,
  }),

  'GET /api/workspaces': () => ({ path: '/api/workspaces', ...commonList }),
  'POST /api/workspaces': () => ({ path: '/api/workspaces', body: { name: 'Another' }, ...everybody }),
  'GET /api/workspaces/{id}': ({ workspaceId }) => ({ path: `/api/workspaces/${workspaceId}`, ...common }),
  'PATCH /api/workspaces/{id}': ({ workspaceId }) => ({
    path: `/api/workspaces/${workspaceId}`,
    body: { name: 'Renamed' },
    ...common,
  }),
  'GET /api/workspaces/{id}/context': ({ workspaceId }) => ({
    path: `/api/workspaces/${workspaceId}/context`,
    ...common,
  }),
  'POST /api/workspaces/{id}/context/refresh': ({ workspaceId }) => ({
    path: `/api/workspaces/${workspaceId}/context/refresh`,
    ...common,
  }),

  'GET /api/prompts': () => ({ path: '/api/prompts', ...commonList }),
  'POST /api/prompts': ({ workspaceId }) => ({
    path: '/api/prompts',
    body: { workspaceId, name: 'House rules', content: 'Be kind.' },
    ...common,
  }),
  'GET /api/prompts/{id}': ({ activePrompt }) => ({ path: `/api/prompts/${activePrompt}`, ...common }),
  'PATCH /api/prompts/{id}': ({ draftPrompt }) => ({
    path: `/api/prompts/${draftPrompt}`,
    body: { content: 'Be brief.' },
    ...common,
  }),
  'GET /api/prompts/{id}/diff': ({ draftPrompt, activePrompt }) => ({
    path: `/api/prompts/${draftPrompt}/diff?against=${activePrompt}`,
    ...common,
  }),
  'POST /api/prompts/{id}/submit': ({ draftPrompt: id }) => ({ path: `/api/prompts/${id}/submit`, ...common }),
  'POST /api/prompts/{id}/approve': ({ pendingPrompt: id }) => ({ path: `/api/prompts/${id}/approve`, ...common }),
  'POST /api/prompts/{id}/reject': ({ pendingPrompt: id }) => ({
    path: `/api/prompts/${id}/reject`,
    body: { reason: 'too long' },
    ...common,
  }),
  'POST /api/prompts/{id}/activate': ({ approvedPrompt: id }) => ({ path: `/api/prompts/${id}/activate`, ...common }),
  'POST /api/prompts/{id}/deprecate': ({ activePrompt: id }) => ({ path: `/api/prompts/${id}/deprecate`, ...common }),
  'GET /api/knowledge': () => ({ path: '/api/knowledge', ...commonList }),
  'POST /api/knowledge': ({ workspaceId }) => ({
    path: '/api/knowledge',
    body: { workspaceId, title: 'Handbook', content: `Be kind ${crypto.randomUUID()}.` },
    ...common,
  }),
  'GET /api/knowledge/index': () => ({ path: '/api/knowledge/index', ...everybody }),
  'POST /api/knowledge/search': ({ workspaceId }) => ({
    path: '/api/knowledge/search',
    body: { workspaceId, query: 'passage' },
    ...common,
  }),
  'GET /api/knowledge/{id}': (its) => ({ path: document(its), ...common }),
  'PATCH /api/knowledge/{id}': (its) => ({ path: document(its), body: { title: 'Renamed' }, ...common }),
  'DELETE /api/knowledge/{id}': (its) => ({ path: document(its), ...common }),
  'GET /api/knowledge/{id}/chunks': (its) => ({ path: document(its, '/chunks'), ...common }),
  'POST /api/knowledge/{id}/submit': (its) => ({ path: document(its, '/submit'), ...common }),
  'POST /api/knowledge/{id}/approve': (its) => ({ path: document(its, '/approve'), ...common }),
  'POST /api/knowledge/{id}/reject': (its) => ({
    path: document(its, '/reject'),
    body: { reason: 'too long' },
    ...common,
  }),
  'POST /api/knowledge/{id}/publish': (its) => ({ path: document(its, '/publish'), ...common }),
  'POST /api/knowledge/{id}/archive': (its) => ({ path: document(its, '/archive'), ...common }),
  'GET /api/preferences': () => ({ path: '/api/preferences', ...ownList }),
  // Everybody has their own.
  'PUT /api/preferences': () => ({ path: '/api/preferences', body: { formality: 'formal' }, ...everybody }),
  'DELETE /api/preferences': () => ({ path: '/api/preferences', ...everybody }),

  'GET /api/memories': () => ({ path: '/api/memories', ...ownList }),
  'POST /api/memories': () => ({ path: '/api/memories', body: { content: 'Likes tea' }, ...everybody }),
  'DELETE /api/memories': () => ({ path: '/api/memories', ...everybody }),
  'GET /api/memories/export': () => ({ path: '/api/memories/export', ...ownList }),
  'GET /api/memories/{id}': ({ memoryId }) => ({ path: `/api/memories/${memoryId}`, ...personal }),
  'PATCH /api/memories/{id}': ({ memoryId }) => ({
    path: `/api/memories/${memoryId}`,
    body: { importance: 1 },
    ...personal,
  }),
  'DELETE /api/memories/{id}': ({ memoryId }) => ({ path: `/api/memories/${memoryId}`, ...personal }),

  'GET /api/keys': () => ({ path: '/api/keys', ...commonList }),
  'POST /api/keys': () => ({
    path: '/api/keys',
    // Weak enough for every maker: a key may not do more than who makes it.
    body: { name: 'One more', tenant: 'acme', userId: 'ada', scopes: ['chat:read'] },
    otherTenant: 'denied',
    otherUser: 'denied',
  }),
  'DELETE /api/keys/{id}': ({ keyId }) => ({ path: `/api/keys/${keyId}`, ...common }),

  'GET /api/budget': () => ({ path: '/api/budget', ...ownList }),
  'GET /api/budgets': () => ({ path: '/api/budgets', ...commonList }),
  'PUT /api/budgets/{userId}': ({ budgetUser }) => ({
    path: `/api/budgets/${budgetUser}`,
    body: { dailyTokens: 5 },
    ...everybody,
  }),
  'DELETE /api/budgets/{userId}': ({ budgetUser }) => ({ path: `/api/budgets/${budgetUser}`, ...common }),

  'GET /api/mcp': ({ workspaceId }) => ({ path: `/api/mcp?workspace=${workspaceId}`, ...common }),
  'GET /api/mcp/quarantined': () => ({ path: '/api/mcp/quarantined', ...everybody }),
  'POST /api/mcp/{server}/approve': ({ changedTool: tool, changedHash: hash }) => ({
    path: '/api/mcp/files/approve',
    body: { tool, hash },
    ...everybody,
  }),
  // A login is for one's own tenant.
  'POST /api/mcp/{server}/authorize': () => ({ path: '/api/mcp/mail/authorize', ...everybody }),
  'GET /mcp/callback': ({ loginState }) => ({ path: `/mcp/callback?state=${loginState}&code=a-code`, ...everybody }),

  'GET /api/workflows': () => ({ path: '/api/workflows', ...ownList }),
  'POST /api/workflows': () => ({
    path: '/api/workflows',
    body: {
      name: `n${crypto.randomUUID().replaceAll('-', '')}`,
      description: 'Makes an image smaller',
      engine: 'http',
      target: { url: 'https://example.org/resize' },
      input: { type: 'object' },
    },
    ...everybody,
  }),
  'GET /api/workflows/{id}': (its) => ({ path: workflow(its), ...used, ...common }),
  'PATCH /api/workflows/{id}': (its) => ({ path: workflow(its), body: { description: 'Resizes' }, ...common }),
  'POST /api/workflows/{id}/disable': (its) => ({
    path: workflow(its, '/disable'),
    body: { reason: 'it is down' },
    ...common,
  }),
  'POST /api/workflows/{id}/enable': (its) => ({ path: workflow(its, '/enable'), ...common }),
  'POST /api/workflows/{id}/secret': (its) => ({ path: workflow(its, '/secret'), ...common }),
  'POST /api/workflows/{id}/invoke': (its) => ({
    path: workflow(its, '/invoke'),
    body: { input: {} },
    ...used,
    ...common,
  }),
  'GET /api/invocations': () => ({ path: '/api/invocations', ...ownList }),
  'DELETE /api/invocations': () => ({ path: '/api/invocations', ...everybody }),
  'GET /api/invocations/{id}': (its) => ({ path: run(its), ...personal }),
  'POST /api/invocations/{id}/cancel': (its) => ({ path: run(its, '/cancel'), ...personal }),
  'POST /api/invocations/{id}/result': (its) => ({
    path: run(its, '/result'),
    body: RESULT,
    headers: its.signatures.result,
    ...everybody,
  }),

  'GET /api/webhooks': () => ({ path: '/api/webhooks', ...commonList }),
  'POST /api/webhooks': () => ({
    path: '/api/webhooks',
    body: { url: 'https://example.org/told', events: ['nothing.happens'] },
    ...everybody,
  }),
  'GET /api/webhooks/{id}': (its) => ({ path: webhook(its), ...common }),
  'PATCH /api/webhooks/{id}': (its) => ({
    path: webhook(its),
    body: { events: ['nothing.happens'] },
    ...common,
    also: 'trace:read',
  }),
  'DELETE /api/webhooks/{id}': (its) => ({ path: webhook(its), ...common }),
  'POST /api/webhooks/{id}/secret': (its) => ({ path: webhook(its, '/secret'), ...common }),
  'GET /api/webhooks/{id}/deliveries': (its) => ({ path: webhook(its, '/deliveries'), ...common }),
  'POST /api/deliveries/{id}/retry': ({ deliveryId }) => ({ path: `/api/deliveries/${deliveryId}/retry`, ...common }),
  'GET /api/hooks': () => ({ path: '/api/hooks', ...commonList }),
  'POST /api/hooks': () => ({
    path: '/api/hooks',
    body: { name: `n${crypto.randomUUID().slice(0, 8)}`, action: { does: 'event', type: 'order.paid' } },
    ...everybody,
  }),
  'GET /api/hooks/{id}': ({ hookId }) => ({ path: `/api/hooks/${hookId}`, ...common }),
  'PATCH /api/hooks/{id}': ({ hookId }) => ({
    path: `/api/hooks/${hookId}`,
    body: { action: { does: 'event', type: 'order.paid' } },
    ...common,
  }),
  'DELETE /api/hooks/{id}': ({ hookId }) => ({ path: `/api/hooks/${hookId}`, ...common }),
  'POST /api/hooks/{id}/secret': ({ hookId }) => ({ path: `/api/hooks/${hookId}/secret`, ...common }),
  'POST /api/hooks/{name}': ({ hookName, signatures }) => ({
    path: `/api/hooks/${hookName}`,
    body: PAYLOAD,
    headers: signatures.hook,
    ...everybody,
  }),
  'GET /api/triggers': () => ({ path: '/api/triggers', ...commonList }),
  'POST /api/triggers': ({ workflowId }) => ({
    path: '/api/triggers',
    body: { event: 'nothing.happens', workflowId },
    ...common,
    also: 'tool:invoke',
  }),
  'GET /api/triggers/{id}': ({ triggerId }) => ({ path: `/api/triggers/${triggerId}`, ...common }),
  'PATCH /api/triggers/{id}': ({ triggerId }) => ({
    path: `/api/triggers/${triggerId}`,
    body: { filter: { 'order.country': 'RW' } },
    ...common,
    also: 'tool:invoke',
  }),
  'DELETE /api/triggers/{id}': ({ triggerId }) => ({ path: `/api/triggers/${triggerId}`, ...common }),
  'POST /api/events': () => ({ path: '/api/events', body: { type: 'order.paid', payload: {} }, ...everybody }),
  'GET /api/schedules': () => ({ path: '/api/schedules', ...commonList }),
  'POST /api/schedules': ({ workflowId }) => ({
    path: '/api/schedules',
    body: { cron: '0 5 1 1 *', workflowId, input: {} },
    ...common,
    also: 'tool:invoke',
  }),
  'GET /api/schedules/{id}': ({ scheduleId }) => ({ path: `/api/schedules/${scheduleId}`, ...common }),
  'PATCH /api/schedules/{id}': ({ scheduleId }) => ({
    path: `/api/schedules/${scheduleId}`,
    body: { timeZone: 'Africa/Kigali' },
    ...common,
    also: 'tool:invoke',
  }),
  'DELETE /api/schedules/{id}': ({ scheduleId }) => ({ path: `/api/schedules/${scheduleId}`, ...common }),

  'GET /api/tools': () => ({ path: '/api/tools', ...everybody }),
  'GET /api/models': () => ({ path: '/api/models', ...everybody }),
  'GET /api/usage': () => ({ path: '/api/usage', ...ownList }),
  'GET /api/audit': () => ({ path: '/api/audit', ...commonList }),
  // One chain for all tenants: who may read records sees whether it holds, and nothing of it.
  'GET /api/audit/verify': () => ({ path: '/api/audit/verify', ...everybody }),
  // These belong to who runs Segno, of whatever tenant: the definitions of tools, the chain, the database.
  'GET /api/audit/export': () => ({ path: '/api/audit/export', ...everybody }),
  'GET /api/db/check': () => ({ path: '/api/db/check', ...everybody }),
  'GET /api/db/work': () => ({ path: '/api/db/work', ...everybody }),
  'DELETE /api/db/work': () => ({ path: '/api/db/work', ...everybody }),
  'POST /api/db/compact': () => ({ path: '/api/db/compact', ...everybody }),
  'GET /api/providers': () => ({ path: '/api/providers', ...everybody }),
  'GET /api/providers/{name}': ({ provider }) => ({ path: `/api/providers/${provider}`, ...everybody }),
  'PUT /api/providers/{name}': ({ provider }) => ({
    path: `/api/providers/${provider}`,
    body: { kind: 'openai', local: true },
    ...everybody,
  }),
  'DELETE /api/providers/{name}': ({ provider }) => ({ path: `/api/providers/${provider}`, ...everybody }),
  'POST /api/providers/{name}/test': ({ provider }) => ({ path: `/api/providers/${provider}/test`, ...everybody }),
  'POST /api/secrets/forget-lost': () => ({ path: '/api/secrets/forget-lost', ...everybody }),
  'POST /api/secrets/rotate': () => ({ path: '/api/secrets/rotate', ...everybody }),
  'GET /api/jobs': () => ({ path: '/api/jobs?state=parked', ...everybody }),
  'POST /api/jobs/{id}/retry': ({ parkedJob }) => ({ path: `/api/jobs/${parkedJob}/retry`, ...everybody }),
}

/** Who may not use it does not learn that it is there. */
const used = { also: 'tool:invoke', alsoHides: true } as const
const workflow = ({ workflowId }: Belongings, more = ''): string => `/api/workflows/${workflowId}${more}`
const run = ({ runId }: Belongings, more = ''): string => `/api/invocations/${runId}${more}`
const webhook = ({ webhookId }: Belongings, more = ''): string => `/api/webhooks/${webhookId}${more}`
const HELLO = { content: 'hello' }
const document = ({ documentId }: Belongings, more = ''): string => `/api/knowledge/${documentId}${more}`
const session = ({ sessionId }: Belongings, more = ''): string => `/api/sessions/${sessionId}${more}`
const inSession = ({ sessionId }: Belongings) => ({ ...HELLO, sessionId })
