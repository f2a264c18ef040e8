import { ask } from '../api/client.ts'
import type { Session } from '../api/shapes.ts'
import { goTo, routeStore, type Route } from '../state/route.ts'
import { composerOf, moveDraft } from './drafts.ts'
import type { Place } from './unsent.ts'

type Wanted = Exclude<Place, { kind: 'session' }>

/** Makes the conversation that a message goes to, once, however often it is asked for. */
export function makeConversation(messageKey: string, place: Wanted): Promise<Session> {
  if (place.kind === 'fork') {
    const path = `/api/sessions/${encodeURIComponent(place.sessionId)}/fork`
    return ask<Session>('POST', path, { seq: place.seq }, { once: `${messageKey}-fork` })
  }
  const { kind: _, key, ...wanted } = place
  return ask<Session>('POST', '/api/sessions', wanted, { once: `${key}-new` })
}

/** Who still waits where it was asked for goes to it, with what they have written meanwhile. */
export function follow(place: Wanted, sessionId: string): void {
  const route = routeStore.get()
  if (place.kind === 'new' && route.page === 'new') {
    moveDraft(composerOf(undefined), composerOf(sessionId))
    show({ page: 'session', id: sessionId })
  } else if (place.kind === 'fork' && route.page === 'session' && route.id === place.sessionId) {
    show({ page: 'session', id: sessionId })
  }
}

/** At once: a browser tells of a new address only later, and what is typed until then would go astray. */
function show(route: Route): void {
  routeStore.set(route)
  goTo(route)
}
