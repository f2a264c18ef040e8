import { createStore, useStore } from './store.ts'

export type Route =
  | { readonly page: 'new' }
  /** `seq` or `eventId`: the event that is shown */
  | { readonly page: 'session'; readonly id: string; readonly seq?: number; readonly eventId?: string }
  | { readonly page: 'operator'; readonly tab: string }

/** `#/`, `#/s/<session>`, `#/s/<session>/<event>`, `#/operator/<tab>` */
function readRoute(hash: string): Route {
  const [kind, first, second] = hash.replace(/^#\/?/, '').split('/').map(decode)
  if (kind === 's' && first) {
    const seq = Number(second)
    const isNumber = Number.isSafeInteger(seq) && seq > 0
    return { page: 'session', id: first, ...(isNumber ? { seq } : second && { eventId: second }) }
  }
  if (kind === 'operator') return { page: 'operator', tab: first || 'rounds' }
  return { page: 'new' }
}

export function hrefOf(route: Route): string {
  if (route.page === 'new') return '#/'
  if (route.page === 'operator') return `#/operator/${encodeURIComponent(route.tab)}`
  const event = route.seq ?? route.eventId
  return `#/s/${encodeURIComponent(route.id)}${event === undefined ? '' : `/${encodeURIComponent(event)}`}`
}

export const routeStore = createStore<Route>(readRoute(location.hash))
addEventListener('hashchange', () => routeStore.set(readRoute(location.hash)))

export const useRoute = (): Route => useStore(routeStore)

export function goTo(route: Route): void {
  location.hash = hrefOf(route)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
