import type { MeView } from '../../../src/client/index.ts'

/** The same rule as on the server: `chat:*` covers `chat:read`, `*` everything within one's tenant. */
export function may(me: MeView | undefined, permission: string): boolean {
  const wider = permission === 'operator' ? [] : ['*', `${permission.split(':')[0]}:*`]
  return me?.permissions.some((has) => has === permission || wider.includes(has)) ?? false
}

/** Whether the pages of operators are for this user. */
export const isOperator = (me: MeView | undefined): boolean => may(me, 'audit:read') || may(me, 'user:read')
