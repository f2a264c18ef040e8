import type { Actor } from '../contract/actor.ts'
import { need } from '../contract/need.ts'
import type { ListStore } from '../store/index.ts'

/** Is this in a session of the actor's? What belongs to others must look exactly like what is not there. */
export async function owns(
  store: ListStore,
  actor: Actor,
  { sessionId }: { readonly sessionId: string },
): Promise<boolean> {
  need(actor, 'chat:read')
  const session = await store.session(sessionId)
  return session?.owner.tenant === actor.tenant && session.owner.id === actor.id
}
