/** Who asks. Permissions are exact names; `*` is every one of them. */
export interface Actor {
  readonly id: string
  readonly kind: 'user' | 'admin' | 'system' | 'ai'
  readonly tenant: string
  readonly permissions: readonly string[]
}

/** Until accounts exist everything on this machine belongs to one person. */
export const LOCAL_OWNER: Actor = { id: 'owner', kind: 'user', tenant: 'local', permissions: ['*'] }

/** The actor of what Segno does by itself: expiry, recovery, sweeps. */
export const SYSTEM: Actor = { id: 'system', kind: 'system', tenant: 'local', permissions: ['*'] }

export function may(actor: Actor, permission: string): boolean {
  return actor.permissions.includes('*') || actor.permissions.includes(permission)
}
