import type { Explanation } from '../contract/policy.ts'
import type { Actor } from '../contract/actor.ts'
import { draftEvent, type EventDraft, type StoredEvent } from '../contract/event.ts'
import { NO_USAGE, type JsonObject } from '../contract/message.ts'
import type { Mode } from '../contract/outcome.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { explain, type Facts } from '../policy/index.ts'
import { fold, type Call } from '../session/index.ts'
import { stepContext, roundOf } from './work.ts'
import type { Deps } from './deps.ts'
import { gatherFacts, prepareCall, type PreparedCall } from './prepare-call.ts'

export interface Supposed {
  readonly tool: string
  readonly args: JsonObject
  readonly mode: Mode
  readonly workspaceId: string
  /** as if foreign text had been read before */
  readonly tainted: boolean
}

/** What the gate would decide about a call of this actor, and why. */
export async function explainCall(
  deps: Deps,
  actor: Actor,
  supposed: Supposed,
  limits: RoundLimits,
): Promise<Explanation> {
  const { facts } = await suppose(deps, actor, supposed, limits)
  return explain(facts, deps.policy)
}

/** What the gate would look at if this actor's round made a call. */
export async function suppose(
  deps: Deps,
  actor: Pick<Actor, 'id' | 'tenant' | 'permissions'>,
  { tool, args, mode, workspaceId, tainted }: Supposed,
  limits: RoundLimits,
): Promise<{ readonly facts: Facts; readonly ready: PreparedCall }> {
  const ref = { id: actor.id, tenant: actor.tenant }
  const state = fold(
    log(
      draftEvent('session.created', { actor: ref, workspaceId, title: '' }),
      draftEvent('round.started', {
        requestId: ID,
        actor: ref,
        permissions: [...actor.permissions],
        protocol: 'unified',
        mode,
        model: '',
        limits,
        toolResultsAs: 'tool',
        attended: true,
      }),
      draftEvent('message.assistant', {
        turn: 1,
        content: [{ type: 'tool_use', id: ID, name: tool, input: args }],
        stopReason: 'tool_use',
        usage: NO_USAGE,
        final: false,
      }),
    ),
  )
  if (tainted) state.taintedBy = 'supposed'
  const session = { id: ID, state }
  const round = roundOf({ session })
  const judging = { session, deps, ...(await stepContext(state, round.started, deps)) }
  const [call] = round.calls as [Call]
  const ready = await prepareCall(call, judging)
  return { facts: await gatherFacts(call, ready, judging), ready }
}

const ID = 'supposed'

function log(...drafts: readonly EventDraft[]): StoredEvent[] {
  return drafts.map((one, at) => {
    const seq = at + 1
    return { ...one, id: `${ID}-${seq}`, sessionId: ID, seq, v: 1, at: 0, requestId: ID }
  })
}
