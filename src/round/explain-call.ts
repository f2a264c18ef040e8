import type { Actor } from '../contract/actor.ts'
import { happened, type Happening, type StoredEvent } from '../contract/event.ts'
import { NO_USAGE, type JsonObject } from '../contract/message.ts'
import type { Mode } from '../contract/outcome.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { explain, type Explanation } from '../policy/index.ts'
import { fold, type Call } from '../session/index.ts'
import { atHand, roundOf } from './work.ts'
import type { Hands } from './hands.ts'
import { gatherFacts, prepareCall } from './prepare-call.ts'

/** A call nobody has made. */
export interface Supposed {
  readonly tool: string
  readonly args: JsonObject
  readonly mode: Mode
  readonly workspaceId: string
  /** suppose that text from outside was read before */
  readonly tainted: boolean
}

/** What the gate would decide about a call of this actor, and why: the same gate, asked beforehand. */
export async function explainCall(
  hands: Hands,
  actor: Actor,
  { tool, args, mode, workspaceId, tainted }: Supposed,
  limits: RoundLimits,
): Promise<Explanation> {
  const ref = { id: actor.id, tenant: actor.tenant }
  const state = fold(
    log(
      happened('session.created', { actor: ref, workspaceId, title: '' }),
      happened('round.started', {
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
      happened('message.assistant', {
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
  const judging = { session, hands, ...(await atHand(state, round.started, hands)) }
  const [call] = round.calls as [Call]
  return explain(await gatherFacts(call, await prepareCall(call, judging), judging), hands.policy)
}

const ID = 'supposed'

function log(...happenings: readonly Happening[]): StoredEvent[] {
  return happenings.map((one, at) => {
    const seq = at + 1
    return { ...one, id: `${ID}-${seq}`, sessionId: ID, seq, v: 1, at: 0, requestId: ID }
  })
}
