import type { ApprovalDecided, ToolResult } from '../../../src/contract/call-events.ts'
import type { EventData, EventType, NewEvent } from '../../../src/contract/event.ts'
import type { Input, InputBody, MessageInput } from '../../../src/contract/input.ts'
import { DEFAULT_ROUND_LIMITS } from '../../support/limits.ts'
import type { FilePart } from '../../../src/contract/message.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { newId } from '../../../src/lib/id.ts'
import type { Blob, Claim, Store, StoredPart } from '../../../src/store/index.ts'

let clock = 1_700_000_000_000

/** An event that has not been stored, one millisecond after the one before. */
export function fact<T extends EventType>(type: T, data: EventData[T], requestId: string | null = null): NewEvent {
  return { id: newId(), type, v: 1, at: clock++, requestId, data } as NewEvent
}

export const OWNER = { id: 'ada', tenant: 'local' }

/** Asks for what belongs to who made these sessions. */
export const HERS = { tenant: OWNER.tenant, owner: OWNER.id }

export const created = (more: Partial<EventData['session.created']> = {}): NewEvent =>
  fact('session.created', { actor: OWNER, workspaceId: 'home', title: 'A session', ...more })

export const forked = (sessionId: string, seq: number): NewEvent =>
  fact('session.forked', { actor: OWNER, workspaceId: 'home', title: 'A fork', parent: { sessionId, seq } })

export const deleted = (): NewEvent => fact('session.deleted', { by: 'ada' })

export const said = (text = 'hello'): NewEvent => fact('message.user', { content: [{ type: 'text', text }] })

/** A message that is nothing but these files. */
export const attached = (...files: FilePart[]): NewEvent => fact('message.user', { content: files })

/** As many messages as asked for, each with its own text. */
export const talk = (count: number): NewEvent[] => Array.from({ length: count }, (_, i) => said(`message ${i}`))

export const started = (requestId: string): NewEvent =>
  fact(
    'round.started',
    {
      requestId,
      actor: OWNER,
      permissions: ['*'],
      protocol: 'unified',
      mode: 'act',
      model: 'scripted/default',
      limits: DEFAULT_ROUND_LIMITS,
      toolResultsAs: 'tool',
      attended: true,
    },
    requestId,
  )

export const ended = (requestId: string): NewEvent =>
  fact('round.ended', { finishReason: 'complete', usage: { input: 7, output: 3 }, cost: 42 }, requestId)

/** The end of a round whose message was cancelled while it waited. */
export const unstarted = (requestId: string): NewEvent =>
  fact(
    'round.ended',
    {
      finishReason: 'cancelled',
      usage: { input: 0, output: 0 },
      cost: 0,
      unstarted: { protocol: 'triggered', mode: 'plan', model: 'm', queuedAt: 7 },
    },
    requestId,
  )

export const waits = (requestId: string, until: number | null): NewEvent =>
  fact('round.waiting', { for: 'approval', callIds: ['c'], until }, requestId)

export const asked = (requestId: string, approvalId: string, expiresAt = 2_000_000_000_000): NewEvent =>
  fact(
    'approval.requested',
    {
      approvalId,
      callId: `call of ${approvalId}`,
      tool: 'send_mail',
      args: { to: 'bob' },
      argsHash: sha256('args'),
      definitionHash: sha256('definition'),
      target: 'bob',
      reason: 'it sends mail',
      rememberable: true,
      expiresAt,
    },
    requestId,
  )

export const decided = (requestId: string, approvalId: string, decision: ApprovalDecided['decision']): NewEvent =>
  fact('approval.decided', { approvalId, callId: `call of ${approvalId}`, decision, by: 'ada' }, requestId)

export const result = (requestId: string, callId: string, more: Partial<ToolResult> = {}): NewEvent =>
  fact(
    'tool.result',
    {
      callId,
      name: 'send_mail',
      signature: `signature of ${callId}`,
      outcome: 'ok',
      effect: 'done',
      content: 'sent',
      durationMs: 5,
      cost: 0,
      ...more,
    },
    requestId,
  )

export const unknown = (requestId: string, callId: string): NewEvent =>
  result(requestId, callId, { outcome: 'unknown', effect: 'unknown' })

export const reconciled = (callId: string, happened: boolean): NewEvent =>
  fact('tool.reconciled', { callId, signature: `signature of ${callId}`, happened, by: 'ada' })

export function blob(text: string = newId()): Blob {
  const bytes = new TextEncoder().encode(text)
  return { hash: sha256(bytes), bytes }
}

/** A text that events name, of nobody in particular or with a user's words. */
export const part = (text: string = newId(), more: Partial<StoredPart> = {}): StoredPart => ({
  hash: sha256(`${more.salt ?? ''}${text}`),
  text,
  tenant: OWNER.tenant,
  ...more,
})

export const wordsOf = (owner: string, text: string = newId()): StoredPart => part(text, { owner, salt: newId() })

export const fileOf = ({ hash, bytes }: Blob, more: Partial<FilePart> = {}): FilePart => ({
  type: 'file',
  mediaType: 'text/plain',
  hash,
  bytes: bytes.length,
  ...more,
})

export async function blobText(store: Store, hash: string): Promise<string | undefined> {
  const bytes = await store.blob(hash)
  return bytes && new TextDecoder().decode(bytes)
}

export const claimOf = (key: string, more: Partial<Claim> = {}): Claim => ({
  key,
  hash: sha256(key),
  result: { requestId: newId() },
  ...more,
})

export function input(sessionId: string, body: InputBody = { kind: 'archive', by: 'ada' }): Input {
  const id = newId()
  return { id, sessionId, key: `key of ${id}`, at: clock++, body }
}

/** A message that waits for its round. */
export function message(content: MessageInput['content'], requestId: string = newId()): MessageInput {
  return {
    kind: 'message',
    requestId,
    content,
    actor: OWNER,
    permissions: [],
    protocol: 'unified',
    mode: 'act',
    model: 'scripted/default',
    limits: DEFAULT_ROUND_LIMITS,
    toolResultsAs: 'tool',
    attended: true,
    interrupt: false,
  }
}
