import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import { Problem } from '../contract/problem.ts'
import type { ListedRound } from '../contract/views.ts'
import type { ListStore, Page, RoundQuery } from '../store/index.ts'
import { checkLimit } from './checks.ts'

export type RoundWish = Omit<RoundQuery, 'tenant' | 'owner'> & {
  /** of everybody in the tenant */
  readonly all?: boolean
}

export type RoundList = (actor: Actor, wish?: RoundWish) => Promise<Page<ListedRound>>

/** Rounds of the actor, newest first, or of the whole tenant: then without what others call their sessions. */
export function roundList(store: ListStore): RoundList {
  return async (actor, { all = false, ...wish } = {}) => {
    need(actor, all ? 'user:read' : 'chat:read')
    checkLimit(wish.limit)
    const { tenant, id } = actor
    if (wish.sessionId !== undefined) {
      const owner = (await store.session(wish.sessionId))?.owner
      if (owner?.tenant !== tenant || (!all && owner.id !== id))
        throw new Problem('NOT_FOUND', `There is no session ${wish.sessionId}.`, { field: 'session' })
    }
    const { items, next } = await store.roundPage({ ...wish, tenant, ...(!all && { owner: id }) })
    return { items: items.map((round) => (round.userId === id ? round : withoutTitle(round))), next }
  }
}

function withoutTitle({ title: _, ...round }: ListedRound): ListedRound {
  return round
}
