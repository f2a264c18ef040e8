import type { Actor } from '../contract/actor.ts'
import type { RoundStarted } from '../contract/round-started.ts'
import { need } from '../contract/need.ts'
import type { RoundLimits } from '../contract/limits.ts'
import { isCountLimit } from '../contract/outcome.ts'
import { Problem } from '../contract/problem.ts'
import type { RoundView, SessionView } from '../contract/views.ts'
import { newId } from '../lib/id.ts'
import { keyOf } from '../lib/key-of.ts'
import type { Claim, InboxStore, ListStore, LogStore } from '../store/index.ts'
import type { Coordinator } from './coordinator.ts'
import type { RoundDefaults, SendOptions } from './rounds.ts'
import { earlierAnswer, notLast, type Accepted } from './sending.ts'

/** What a model reads as the message of such a round. */
const GO_ON =
  'The user wants you to go on from where you stopped. Turns and calls are counted anew, so you may use tools again. ' +
  'Do not repeat calls; use the results you have.'

export type ContinueRound = (
  actor: Actor,
  requestId: string,
  options?: Pick<SendOptions, 'attended' | 'channel'>,
) => Promise<Accepted>

export interface Continuing extends Pick<RoundDefaults, 'limits'> {
  readonly store: LogStore & InboxStore & ListStore
  readonly coordinator: Coordinator
  get(actor: Actor, requestId: string): Promise<RoundView>
  speakable(actor: Actor, sessionId: string): Promise<Pick<SessionView, 'archived' | 'workspaceId'>>
  /** Throws a Problem for a model that this workspace may not use. */
  usableModel(actor: Actor, workspaceId: string, model: string): Promise<string>
}

/** Starts a round that continues the last one, if that ended at a count limit; a second time it is the same round. */
export function continueRound(by: Continuing): ContinueRound {
  const { store, coordinator } = by
  return async (actor, requestId, { attended = true, channel = 'library' } = {}) => {
    need(actor, 'chat:write')
    const before = await by.get(actor, requestId)
    const { sessionId } = before
    const { archived, workspaceId } = await by.speakable(actor, sessionId)
    const { key, known } = await keyFor(store, requestId)
    if (known) return earlierAnswer(store, known, key, workspaceId)
    if (archived) throw new Problem('CONFLICT', 'This conversation is archived; bring it back before it can go on.')
    checkEnd(before)
    // Messages that were cancelled while they waited were no rounds.
    const last = (await store.rounds(sessionId)).find(({ startSeq, endSeq }) => startSeq !== endSeq)
    if (last && last.requestId !== requestId) throw notLast()
    const [started] = await store.read(sessionId, { after: before.startSeq - 1, limit: 1 })
    if (started?.type !== 'round.started') throw new Problem('NOT_FOUND', `There is no round ${requestId}.`)
    // A person goes on with it, whatever started it.
    const { origin: _, ...asBefore } = started.data
    const round: RoundStarted = {
      ...asBefore,
      requestId: newId(),
      model: await by.usableModel(actor, workspaceId, started.data.model),
      actor: { id: actor.id, tenant: actor.tenant },
      permissions: [...actor.permissions],
      limits: lowest(by.limits, started.data.limits),
      attended,
      channel,
      continues: requestId,
    }
    try {
      const message = { ...round, kind: 'message', content: GO_ON, interrupt: false } as const
      return await coordinator.send(sessionId, { workspaceId, message, files: [], onBusy: 'reject', key })
    } catch (error) {
      throw error instanceof Problem && error.code === 'BUSY' ? notLast(error) : error
    }
  }
}

/** A round that continues it is found by its key, unless it was cancelled before it started: then there is another. */
async function keyFor(
  store: InboxStore & ListStore,
  requestId: string,
): Promise<{ key: { key: string; hash: string }; known?: Claim }> {
  for (let parts = [requestId]; ;) {
    const key = { key: keyOf('continue', ...parts), hash: '' }
    const known = await store.findClaim(key.key)
    const next = known && (await store.round((known.result as { requestId: string }).requestId))
    if (!known || !next || next.startSeq !== next.endSeq) return { key, ...(known && { known }) }
    parts = [requestId, next.requestId]
  }
}

function checkEnd({ state, finishReason }: RoundView): void {
  if (state !== 'ended')
    throw new Problem('CONFLICT', `The round is ${state}; only one that has ended can be continued.`)
  if (isCountLimit(finishReason)) return
  throw new Problem(
    'CONFLICT',
    `The round ended with ${finishReason}; only one that used up its turns or calls can be continued. Send a message instead.`,
  )
}

/** The limits may have become lower since. */
function lowest(now: RoundLimits, before: RoundLimits): RoundLimits {
  const names = Object.keys(now) as (keyof RoundLimits)[]
  return Object.fromEntries(names.map((name) => [name, Math.min(now[name], before[name] ?? Infinity)])) as never
}
