import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { ApprovalView, UnknownCallView } from '../contract/views.ts'
import type { Store } from '../store/index.ts'
import { checkWord } from './check-message.ts'
import type { Coordinator } from './coordinator.ts'
import { owns } from './owns.ts'
import type { Sessions } from './sessions.ts'

export interface Decision {
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session'
  readonly reason?: string
}

/** What rounds need people for: approvals, and calls nobody knows the end of. */
export interface PeoplesPart {
  approvals(actor: Actor, status?: ApprovalView['status']): Promise<ApprovalView[]>
  decide(actor: Actor, approvalId: string, decision: Decision): Promise<void>
  unknownCalls(actor: Actor): Promise<UnknownCallView[]>
  /** Settles a call in the session it was made in, or in a fork that inherited it. */
  reconcile(actor: Actor, callId: string, happened: boolean, note?: string, inSession?: string): Promise<void>
}

export function peoplesPart(
  store: Store,
  coordinator: Coordinator,
  sessions: Sessions,
  now: () => number,
): PeoplesPart {
  return {
    async approvals(actor, status) {
      need(actor, 'chat:read')
      const all = await store.approvals(status === undefined ? {} : { status })
      return own(actor, all)
    },
    async decide(actor, approvalId, { decision, remember, reason }) {
      need(actor, 'chat:write')
      checkWord('decision', decision, ['approve', 'deny'])
      if (remember !== undefined) checkWord('remember', remember, ['session'])
      const approval = await store.approval(approvalId)
      if (!approval || !(await owns(store, actor, approval)))
        throw new Problem('NOT_FOUND', `There is no approval ${approvalId}.`)
      if (approval.status !== 'pending') throw new Problem('CONFLICT', `This was already decided: ${approval.status}.`)
      if (approval.expiresAt <= now()) throw new Problem('CONFLICT', 'The time to decide this is over.')
      const told = await coordinator.tell(
        approval.sessionId,
        {
          kind: 'decision',
          approvalId,
          decision,
          by: actor.id,
          ...(remember !== undefined && { remember }),
          ...(reason !== undefined && { reason }),
        },
        `decision:${approvalId}`,
      )
      if (told === 'repeated') throw new Problem('CONFLICT', 'Somebody decided this just before.')
    },
    async unknownCalls(actor) {
      need(actor, 'chat:read')
      return own(actor, await store.unknownCalls({ reconciled: false }))
    },
    async reconcile(actor, callId, happened, note, inSession) {
      need(actor, 'chat:write')
      const sessionId = inSession ?? (await unsettledIn(actor, callId))
      await sessions.get(actor, sessionId)
      await coordinator.wake(sessionId)
      if (!coordinator.known(sessionId)?.unknown.has(callId)) {
        throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect in this session.`)
      }
      const body = { kind: 'reconcile', callId, happened, by: actor.id, ...(note !== undefined && { note }) } as const
      await coordinator.tell(sessionId, body, `reconcile:${sessionId}:${callId}`)
      await coordinator.settled(sessionId, false)
    },
  }

  /** The session a call was made in. Forks that inherited it settle it for themselves. */
  async function unsettledIn(actor: Actor, callId: string): Promise<string> {
    const call = await store.unknownCall(callId)
    if (!call || !(await owns(store, actor, call)))
      throw new Problem('NOT_FOUND', `There is no call ${callId} with an unknown effect.`)
    if (call.reconciled !== undefined) throw new Problem('CONFLICT', 'This call was already settled.')
    return call.sessionId
  }

  async function own<T extends { sessionId: string }>(actor: Actor, all: readonly T[]): Promise<T[]> {
    const mine: T[] = []
    for (const one of all) if (await owns(store, actor, one)) mine.push(one)
    return mine
  }
}
