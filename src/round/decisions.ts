import { mayUseTool, type Actor } from '../contract/actor.ts'
import { checkLimit } from '../contract/check-limit.ts'
import { need } from '../contract/need.ts'
import type { JsonObject } from '../contract/message.ts'
import { Problem } from '../contract/problem.ts'
import type { JsonSchema } from '../contract/tool.ts'
import type { ApprovalView, ShownApproval, UnknownCallView } from '../contract/views.ts'
import type { InboxStore, ListStore, LogStore, Page } from '../store/index.ts'
import { checkInput } from '../tool/index.ts'
import { withDisplay } from './approval-display.ts'
import { checkWord } from './checks.ts'
import type { Coordinator } from './coordinator.ts'
import { findStored } from './fold-stored.ts'
import { canSee, type Sessions } from './sessions.ts'
import { readState } from './read-state.ts'

export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session'
  readonly reason?: string
  /** the answer to a running call's question */
  readonly content?: JsonObject
}

interface PageQuery {
  readonly limit?: number
  /** the `next` of an earlier page */
  readonly cursor?: string
}

export type Decisions = ReturnType<typeof createDecisions>

/** What people decide: approvals, and whether calls with an unknown effect happened. */
export function createDecisions(
  store: LogStore & InboxStore & ListStore,
  coordinator: Coordinator,
  sessions: Sessions,
  now: () => number,
) {
  const decisions = {
    /** All of them, oldest first. */
    async approvals(actor: Actor, status?: ApprovalView['status']): Promise<ShownApproval[]> {
      const wanted = status === undefined ? {} : { status }
      const all = await everyPage((page) => decisions.approvalPage(actor, { ...wanted, ...page }))
      return status === 'pending' ? all : all.toReversed()
    },
    /** Pending ones oldest first, others newest first. */
    async approvalPage(
      actor: Actor,
      query: PageQuery & { status?: ApprovalView['status'] } = {},
    ): Promise<Page<ShownApproval>> {
      need(actor, 'chat:read')
      checkLimit(query.limit)
      const page = await store.approvals({ ...query, tenant: actor.tenant, owner: actor.id })
      return { ...page, items: page.items.map(withDisplay) }
    },
    async decide(actor: Actor, approvalId: string, { decision, remember, reason, content }: Decision): Promise<void> {
      need(actor, 'chat:write')
      checkWord('decision', decision, ['approve', 'deny'])
      if (remember !== undefined) checkWord('remember', remember, ['session'])
      const approval = await store.approval(approvalId)
      if (!approval || !(await canSee(store, actor, approval)))
        throw new Problem('NOT_FOUND', `There is no approval ${approvalId}.`)
      // Only people who may use the tool can approve it, and no model can.
      if (actor.kind === 'ai' || !mayUseTool(actor.permissions, approval.tool))
        throw new Problem('PERMISSION_DENIED', `You may not decide this; it needs tool:${approval.tool}.`)
      if (approval.status !== 'pending') throw new Problem('CONFLICT', `This was already decided: ${approval.status}.`)
      if (approval.expiresAt <= now()) throw new Problem('CONFLICT', 'The time to decide this is over.')
      if (content !== undefined || (approval.isQuestion && decision === 'approve'))
        await checkAnswer(approval, decision, content)
      const told = await coordinator.tell(
        approval.sessionId,
        {
          kind: 'decision',
          approvalId,
          decision,
          by: actor.id,
          ...(remember !== undefined && { remember }),
          ...(reason !== undefined && { reason }),
          ...(content !== undefined && { content }),
        },
        { key: `decision:${approvalId}`, hash: '' },
      )
      if (typeof told !== 'string') throw new Problem('CONFLICT', 'Somebody decided this just before.')
    },
    /** All unsettled ones, oldest first. */
    unknownCalls: (actor: Actor): Promise<UnknownCallView[]> =>
      everyPage((page) => decisions.unknownCallPage(actor, page)),
    async unknownCallPage(actor: Actor, query: PageQuery = {}): Promise<Page<UnknownCallView>> {
      need(actor, 'chat:read')
      checkLimit(query.limit)
      return store.unknownCalls({ ...query, tenant: actor.tenant, owner: actor.id })
    },
    /**
     * Settles a call in the session it was made in, or in a fork that inherited it. Repeating the same answer is fine, a
     * different one is a conflict.
     */
    async reconcile(actor: Actor, callId: string, happened: boolean, note?: string, inSession?: string): Promise<void> {
      need(actor, 'chat:write')
      const sessionId = inSession ?? (await madeIn(actor, callId))
      await sessions.get(actor, sessionId)
      const once = { key: `reconcile:${sessionId}:${callId}`, hash: String(happened) }
      // Claims of older versions have no hash.
      const claimed = (await store.findClaim(once.key))?.hash || (await settledAs(sessionId, callId))
      if (claimed === undefined) {
        const body = { kind: 'reconcile', callId, happened, by: actor.id, ...(note !== undefined && { note }) } as const
        const told = await coordinator.tell(sessionId, body, once)
        if (typeof told !== 'string') checkSame(told.hash, once.hash)
      } else checkSame(claimed, once.hash)
      await coordinator.settled(sessionId, false)
    },
  }
  return decisions

  /** The session a call was made in; forks settle inherited calls for themselves. */
  async function madeIn(actor: Actor, callId: string): Promise<string> {
    const call = await store.unknownCall(callId)
    if (call && (await canSee(store, actor, call))) return call.sessionId
    throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect.`)
  }

  /** How a call was settled; undefined while its effect is unknown. */
  async function settledAs(sessionId: string, callId: string): Promise<string | undefined> {
    const call = await store.unknownCall(callId)
    if (call?.sessionId === sessionId) return call.reconciled === undefined ? undefined : String(call.reconciled)
    const { state } = await readState(store, sessionId, { messages: 0, tokens: 0 })
    if (state.unknown.has(callId)) return undefined
    const settled = await findStored(
      store,
      sessionId,
      (event) => event.type === 'tool.reconciled' && event.data.callId === callId,
    )
    if (settled?.type === 'tool.reconciled') return String(settled.data.happened)
    throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect in this conversation.`)
  }
}

function checkSame(before: string, now: string): void {
  if (before === now) return
  throw new Problem(
    'CONFLICT',
    `This call was already settled: it did ${before === 'true' ? '' : 'not '}happen. That stays so.`,
    { field: 'happened' },
  )
}

async function everyPage<T>(read: (page: PageQuery) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, next } = await read({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
    all.push(...items)
    cursor = next
  }
  return all
}

/** The answer must match the schema of the question. */
async function checkAnswer(
  { isQuestion, args }: ApprovalView,
  decision: Decision['decision'],
  content: JsonObject = {},
): Promise<void> {
  if (!isQuestion || decision === 'deny')
    throw new Problem('VALIDATION_ERROR', 'content: only the answer to a question has one.', { field: 'content' })
  const schema = args['schema']
  if (schema === undefined) return
  const checked = await checkInput(schema as unknown as JsonSchema, content)
  if (!checked.ok) throw new Problem('VALIDATION_ERROR', `content: ${checked.message}`, { field: 'content' })
}

const PAGE = 500
