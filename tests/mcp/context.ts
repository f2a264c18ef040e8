import type { ToolContext } from '../../src/contract/tool.ts'

/** What a tool is run with. */
export function context(more: Partial<ToolContext> = {}): ToolContext {
  return {
    idempotencyKey: 'key-1',
    callId: 'call-1',
    sessionId: 'session-1',
    requestId: 'request-1',
    actorId: 'actor-1',
    tenant: 'default',
    workspaceId: 'system',
    isTainted: false,
    folder: '/',
    signal: new AbortController().signal,
    say: () => {},
    ask: () => Promise.resolve({ action: 'cancel' }),
    charge: () => {},
    ...more,
  }
}
