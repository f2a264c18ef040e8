import type { Session } from '../../../src/client/index.ts'
import { client } from '../api/client.ts'
import { goTo, routeStore, type Route } from '../state/route.ts'
import { composerOf, moveDraft } from './drafts.ts'
import type { Place } from './unsent.ts'

type Wanted = Exclude<Place, { kind: 'session' }>

/** Makes the conversation that a message goes to, once, however often it is asked for. */
export function makeConversation(messageKey: string, place: Wanted): Promise<Session> {
  if (place.kind === 'fork') {
    return client.forkSession(place.sessionId, { seq: place.seq }, `${messageKey}-fork`)
  }
  const { kind: _, key, ...wanted } = place
  return client.createSession(wanted, `${key}-new`)
}

/** If the user still waits on the page, goes to the new conversation and takes the draft along. */
export function follow(place: Wanted, sessionId: string): void {
  const route = routeStore.get()
  if (place.kind === 'new' && route.page === 'new') {
    moveDraft(composerOf(undefined), composerOf(sessionId))
    show({ page: 'session', id: sessionId })
  } else if (place.kind === 'fork' && route.page === 'session' && route.id === place.sessionId) {
    show({ page: 'session', id: sessionId })
  }
}

/** Sets the route at once: the hashchange event comes later, and typing until then would be lost. */
function show(route: Route): void {
  routeStore.set(route)
  goTo(route)
}
