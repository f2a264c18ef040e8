import type { Invocation, InvocationOrigin, InvocationStatus } from '../contract/invocation.ts'
import type { InvocationEnd } from './invocations.ts'
import { withoutNulls } from './page.ts'

/** What is only read together with the whole. */
type Rest = Pick<
  Invocation,
  | 'requestId'
  | 'callId'
  | 'event'
  | 'depth'
  | 'attempts'
  | 'inDoubt'
  | 'until'
  | 'code'
  | 'tokens'
  | 'reported'
  | 'told'
  | 'startedAt'
>

/** What can be erased; an engine may call it by words it was given. */
type Content = Pick<Invocation, 'input' | 'output' | 'raw' | 'error' | 'engineRef'>

export interface InvocationRow {
  num: number
  id: string
  tenant: string
  automationId: string
  key: string
  origin: InvocationOrigin
  originId: string | null
  userId: string
  sessionId: string | null
  createdAt: number
  status: InvocationStatus
  dueAt: number | null
  endedAt: number | null
  revision: number
  body: string
  /** null once it is erased, and from then on */
  content: string | null
}

export const INVOCATION_COLUMNS = `num, id, tenant, automation_id AS "automationId", key, origin, origin_id AS "originId",
  user_id AS "userId", session_id AS "sessionId", created_at AS "createdAt", status, due_at AS "dueAt",
  ended_at AS "endedAt", revision, body, content`

export function invocationOfRow({ num: _, body, content, ...row }: InvocationRow): Invocation {
  return {
    ...withoutNulls(row),
    ...(JSON.parse(body) as Rest),
    ...(content !== null && (JSON.parse(content) as Content)),
  }
}

export type EndRow = Omit<InvocationEnd, 'tookMs'> & { readonly tookMs: number | null }

export const endOfRow = (row: EndRow): InvocationEnd => withoutNulls({ ...row })

/** In the order of `newInvocationValues`. */
export const NEW_INVOCATION_COLUMNS = `id, tenant, automation_id, key, origin, origin_id, user_id, session_id,
  created_at, status, due_at, ended_at, revision, body, content`

/** Without its content if that is erased already. */
export function newInvocationValues(invocation: Invocation, isErased: boolean): (string | number | null)[] {
  const { id, tenant, automationId, key, origin, originId, userId, sessionId, createdAt } = invocation
  const changing = changedInvocationValues(invocation)
  return [
    id,
    tenant,
    automationId,
    key,
    origin,
    originId ?? null,
    userId,
    sessionId ?? null,
    createdAt,
    ...(isErased ? [...changing.slice(0, -1), null] : changing),
  ]
}

/** What a change may set: status, due_at, ended_at, revision, body and content. */
export function changedInvocationValues(invocation: Invocation): (string | number | null)[] {
  const { status, dueAt, endedAt, revision, requestId, callId, event, depth, attempts, inDoubt, until } = invocation
  const { code, engineRef, tokens, reported, told, startedAt, input, output, raw, error } = invocation
  const rest = { requestId, callId, event, depth, attempts, inDoubt, until, code, tokens, reported, told }
  return [
    status,
    dueAt ?? null,
    endedAt ?? null,
    revision,
    JSON.stringify({ ...rest, startedAt }),
    JSON.stringify({ input, output, raw, error, engineRef }),
  ]
}

/** Micro-dollars are whole, and never negative. */
export const wholeCost = (cost = 0): number => Math.max(0, Math.ceil(cost))

/** Quotas count what was stored within this time. */
export const QUOTA_MS = 60 * 60 * 1000
