import type { MeView } from '../../../src/client/index.ts'
import { usePolled } from './polled.ts'

/** Who uses this page and what the server is like. */
export const useMe = (): MeView | undefined => usePolled<MeView>('/api/me', 60_000).value

/** The same rule as on the server: `chat:*` covers `chat:read`, `*` everything within one's tenant. */
export function may(me: MeView | undefined, permission: string): boolean {
  const wider = permission === 'operator' ? [] : ['*', `${permission.split(':')[0]}:*`]
  return me?.permissions.some((has) => has === permission || wider.includes(has)) ?? false
}

/** False for a key that is for other things: asking again and again would fill the audit log with refusals. */
export function useMayRead(): boolean {
  const me = useMe()
  return me === undefined || may(me, 'chat:read')
}
