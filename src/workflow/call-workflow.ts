import type { Automation } from '../contract/automation.ts'
import { hasEnded, type Invocation } from '../contract/invocation.ts'
import type { JsonObject } from '../contract/message.ts'
import {
  answersLater,
  type AnswersLater,
  type ToolContext,
  type ToolOutput,
  type Verification,
} from '../contract/tool.ts'
import type { Clock } from '../lib/clock.ts'
import { idFrom } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import type { InvocationStore } from '../store/index.ts'
import { INLINE_MS } from './after-hand-over.ts'
import type { NewInvocation } from './create-invocations.ts'
import { answerOf } from './invocation-answer.ts'
import { toldOf, type Settling } from './settle-invocation.ts'
import { isPassing } from './skipping.ts'
import type { Waiters } from './waiters.ts'
import { workflowTool } from './workflows.ts'

type Workflow = Automation<'workflow'>

/** Workflows as models call them. */
export interface WorkflowCalls {
  /** Starts it once for the call, and again finds what it started before. */
  run(workflow: Workflow, args: JsonObject, ctx: ToolContext): Promise<ToolOutput | AnswersLater>
  /** Whether a call that was started did happen, as far as Segno itself knows. */
  verify(workflow: Workflow, args: JsonObject, ctx: ToolContext): Promise<Verification>
}

interface CallOptions {
  readonly store: Pick<InvocationStore, 'invocationByKey'>
  readonly clock: Clock
  readonly settle: Settling['settle']
  add(workflow: Workflow, wanted: NewInvocation): Promise<Invocation>
  readonly waited: Waiters['until']
}

/** The invocation of a call. */
const callRunId = (tenant: string, callId: string): string => idFrom(keyOf('run', tenant, callId))

export function createCalls({ store, clock, settle, add, waited }: CallOptions): WorkflowCalls {
  async function begun(workflow: Workflow, args: JsonObject, ctx: ToolContext): Promise<Invocation> {
    const { idempotencyKey: key, callId, sessionId, requestId, actorId: userId, tenant, depth = 0 } = ctx
    const id = callRunId(tenant, callId)
    const known = await store.invocationByKey(tenant, key)
    if (!known)
      return add(workflow, {
        id,
        tenant,
        key,
        origin: 'call',
        userId,
        sessionId,
        requestId,
        callId,
        depth: depth + 1,
        input: args,
      })
    // Whoever began with it is gone, or Segno would not ask again.
    const soon = (now: Invocation) => (now.status === 'pending' ? { ...now, dueAt: clock.now() } : undefined)
    return (await settle(known, soon)) ?? known
  }

  return {
    async run(workflow, args, ctx) {
      const { effect } = workflow.body
      const run = await begun(workflow, args, ctx).catch((error: unknown) => {
        // It was refused, so there is nothing to pay for.
        if (!isPassing(error)) ctx.charge(0)
        throw error
      })
      const isOver = (now: Invocation): boolean => now.status !== 'pending'
      const now = (await waited(run, INLINE_MS, isOver, ctx.signal)) ?? run
      if (!hasEnded(now)) return answersLater(now.id, { withinMs: Math.max(1, now.until - clock.now()) })
      // If the process dies before the result is stored, whoever makes the call again finds it here.
      if (effect !== 'unsafe')
        void settle(now, (one) => (one.revision === now.revision ? toldOf(one) : undefined)).catch(() => {})
      const answer = answerOf(now, workflowTool(workflow.name ?? ''), effect)
      if ('error' in answer) throw answer.error
      return answer.output
    },
    async verify(_, __, { tenant, idempotencyKey }) {
      const run = await store.invocationByKey(tenant, idempotencyKey)
      if (run?.status === 'success') return { happened: true, output: run.output ?? null }
      // Being called again it goes on with what it is, or says how it ended, and begins nothing anew.
      return run?.status === 'unknown' ? { happened: 'unknown' } : { happened: false }
    },
  }
}
