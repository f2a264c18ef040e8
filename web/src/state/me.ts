import type { MeView } from '../../../src/client/index.ts'
import { may } from './may.ts'
import { usePolled } from './polled.ts'

/** Who uses this page and what the server is like. */
export const useMe = (): MeView | undefined => usePolled<MeView>('/api/me', 60_000).value

/** False for a key that is for other things: asking again and again would fill the audit log with refusals. */
export function useMayRead(): boolean {
  const me = useMe()
  return me === undefined || may(me, 'chat:read')
}
